#include "tests/world/network.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tests/world/world.hpp"

namespace groma::world {

namespace {

constexpr std::size_t kLargestDatagram = 65'507;
constexpr std::size_t kOverhead = 256;  // a packet takes more than its bytes (skbuff(9))
constexpr std::uint16_t kFirstPort = 32'768;
constexpr std::uint16_t kPorts = 28'232;

}  // namespace

Address Address::of(const sockaddr* address, socklen_t size) {
    sockaddr_in in{};
    std::memcpy(&in, address, std::min<std::size_t>(size, sizeof in));
    return {ntohl(in.sin_addr.s_addr), ntohs(in.sin_port)};
}

void Address::copy_to(sockaddr* address, socklen_t* size) const {
    if (address == nullptr or size == nullptr) {
        return;
    }
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_addr.s_addr = htonl(host);
    in.sin_port = htons(port);
    std::memcpy(address, &in, std::min<std::size_t>(*size, sizeof in));
    *size = sizeof in;
}

int Socket::option(int level, int name) const {
    const auto found = options.find({level, name});
    int value = 0;
    if (found != options.end()) {
        std::memcpy(&value, found->second.data(), std::min(found->second.size(), sizeof value));
    }
    return value;
}

int Network::bind(const std::shared_ptr<Socket>& socket, Address address) {
    const std::uint32_t own = socket->process().host->address;
    const bool is_loopback = (address.host >> 24U) == 127;
    const bool is_own = address.host == own and socket->process().host->has_address;
    if (address.host != 0 and not is_own and not is_loopback) {
        return failed(EADDRNOTAVAIL);
    }
    // Hosts share one table: loopback addresses of a host are those of the host.
    address.host = own;
    if (address.port == 0) {
        address.port = free_port(socket->type(), own);
    }
    auto& place = bound_[{socket->type(), address}];
    if (not place.expired()) {
        return failed(EADDRINUSE);
    }
    place = socket;
    socket->local = address;
    return 0;
}

std::uint16_t Network::free_port(int type, std::uint32_t host) {
    while (true) {
        const auto port = static_cast<std::uint16_t>(kFirstPort + world_.tasks.random()() % kPorts);
        if (const auto found = bound_.find({type, {host, port}}); found == bound_.end() or found->second.expired()) {
            return port;
        }
    }
}

void Network::release(const Socket& socket) {
    const auto found = bound_.find({socket.type(), socket.local});
    if (found != bound_.end() and found->second.lock().get() == &socket) {
        bound_.erase(found);
    }
}

std::shared_ptr<Socket> Network::bound(int type, const Address& to) const {
    const auto found = bound_.find({type, to});
    return found == bound_.end() ? nullptr : found->second.lock();
}

void Network::forget(std::uint32_t host) {
    std::erase_if(bound_, [=](const auto& entry) { return entry.first.second.host == host; });
    std::erase_if(connections_, [=](const auto& entry) {
        const bool is_its = entry.first.first.host == host;
        if (is_its) {
            entry.second->vanish();
        }
        return is_its;
    });
}

void Network::carry(std::uint32_t from, std::uint32_t to, const std::function<void()>& deliver) {
    auto& random = world_.tasks.random();
    Link& way = link(from, to);
    const auto chance = [&](double share) {
        return share > 0 and std::uniform_real_distribution<double>()(random) < share;
    };
    const auto has_address = [this](std::uint32_t address) {
        const Host* const host = world_.host_at(address);
        return host != nullptr and host->has_address;
    };
    if (way.is_cut or not has_address(from) or not has_address(to) or chance(way.loss)) {
        ++counts.lost;
        return;
    }
    const int times = chance(way.copies) ? 2 : 1;
    counts.copied += static_cast<std::uint64_t>(times - 1);
    for (int i = 0; i < times; ++i) {
        const Nanos more{way.jitter.count() == 0
                             ? 0
                             : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(way.jitter.count()))};
        world_.tasks.at(world_.tasks.now() + way.delay + more, [this, to, deliver] {
            const Host* const host = world_.host_at(to);
            if (host != nullptr and host->is_up) {
                deliver();
            }
        });
    }
}

// UDP

void UdpSocket::closed() {
    network().release(*this);
}

short UdpSocket::events() const {
    return static_cast<short>((queue_.empty() ? 0 : POLLIN) | POLLOUT | (error != 0 ? POLLERR | POLLIN : 0));
}

ssize_t UdpSocket::write(std::span<const iovec> pieces) {
    return peer.port == 0 ? failed<ssize_t>(EDESTADDRREQ) : send(gather(pieces), peer);
}

ssize_t UdpSocket::read(std::span<const iovec> pieces) {
    const auto datagram = take();
    return datagram ? static_cast<ssize_t>(scatter(pieces, datagram->bytes)) : -1;
}

ssize_t UdpSocket::send(std::string bytes, const Address& to) {
    if (error != 0) {
        return failed<ssize_t>(take_error());
    }
    if (not process().host->has_address) {
        return failed<ssize_t>(ENETUNREACH);
    }
    if (bytes.size() > kLargestDatagram) {
        return failed<ssize_t>(EMSGSIZE);
    }
    if (local.port == 0) {
        return failed<ssize_t>(EINVAL);  // callers bind first
    }
    const auto size = static_cast<ssize_t>(bytes.size());
    network().send(std::make_shared<const Datagram>(Datagram{.from = local, .to = to, .bytes = std::move(bytes)}));
    return size;
}

void Network::send(const std::shared_ptr<const UdpSocket::Datagram>& datagram) {
    const Address from = datagram->from;
    const Address to = datagram->to;
    Datagrams& counted = datagrams[{from, to}];
    ++counted.handed_over;
    if (Link& way = link(from.host, to.host); way.loses_each > 0 and ++way.datagrams % way.loses_each == 0) {
        ++counts.lost;
        return;
    }
    const auto was_taken = std::make_shared<bool>(false);
    const auto taken = [&counted, was_taken] { ++(std::exchange(*was_taken, true) ? counted.copies : counted.taken); };
    carry(from.host, to.host, [this, datagram, from, to, taken] {
        if (const auto target = std::dynamic_pointer_cast<UdpSocket>(bound(SOCK_DGRAM, to))) {
            if (target->peer.port == 0 or target->peer == from) {
                UdpSocket::Datagram one = *datagram;
                one.taken = taken;
                target->arrive(std::move(one));
            }
            return;
        }
        // ICMP port unreachable: reported to a connected socket.
        carry(to.host, from.host, [this, from, to] {
            const auto source = std::dynamic_pointer_cast<UdpSocket>(bound(SOCK_DGRAM, from));
            if (source and source->peer == to) {
                source->error = ECONNREFUSED;
                source->changed();
            }
        });
    });
}

void UdpSocket::arrive(Datagram datagram) {
    if (queued_ + datagram.bytes.size() + kOverhead > receive_bytes) {
        ++dropped;
        return;
    }
    datagram.arrived = network().world().tasks.now();
    queued_ += datagram.bytes.size() + kOverhead;
    queue_.push_back(std::move(datagram));
    changed();
}

std::optional<UdpSocket::Datagram> UdpSocket::take(bool only_looks) {
    if (error != 0) {
        errno = take_error();
        return std::nullopt;
    }
    if (queue_.empty()) {
        errno = EAGAIN;
        return std::nullopt;
    }
    if (only_looks) {
        return queue_.front();
    }
    Datagram datagram = std::move(queue_.front());
    queue_.pop_front();
    datagram.taken();
    queued_ -= datagram.bytes.size() + kOverhead;
    return datagram;
}

}  // namespace groma::world
