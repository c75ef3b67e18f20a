// Sockets of simulated programs: IPv4, datagrams and streams.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include "tests/world/calls.hpp"

namespace groma::world {
namespace {

std::shared_ptr<Socket> socket_at(World& world, int fd) {
    return world.current().find_as<Socket>(fd, ENOTSOCK);
}

/// A host's loopback addresses are the host itself.
Address address_of(World& world, const sockaddr* address, socklen_t size) {
    Address found = Address::of(address, size);
    if ((found.host >> 24U) == 127) {
        found.host = world.current().host->address;
    }
    return found;
}

int make_socket(World& world, int domain, int type, int protocol) {
    if (const int error = enter(world, Call::socket); error != 0) {
        return failed(error);
    }
    constexpr int kFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;
    const int kind = type & ~kFlags;
    const bool is_known = (kind == SOCK_STREAM and (protocol == 0 or protocol == IPPROTO_TCP)) or
                          (kind == SOCK_DGRAM and (protocol == 0 or protocol == IPPROTO_UDP));
    if (domain != AF_INET or not is_known) {
        return failed(domain == AF_INET ? EPROTONOSUPPORT : EAFNOSUPPORT);
    }
    Process& process = world.current();
    std::shared_ptr<Socket> socket;
    if (kind == SOCK_STREAM) {
        socket = std::make_shared<TcpSocket>(world.network, process);
    } else {
        socket = std::make_shared<UdpSocket>(world.network, process);
    }
    socket->nonblocking = (type & SOCK_NONBLOCK) != 0;
    if (kind == SOCK_STREAM) {
        socket->receive_bytes = process.host->stream_bytes;
        socket->send_bytes = process.host->stream_bytes;
    }
    return process.install(socket);
}

/// Assigns a port if the socket has none.
int settle(World& world, const std::shared_ptr<Socket>& socket) {
    return socket->local.port != 0 ? 0 : world.network.bind(socket, {.host = 0, .port = 0});
}

int connect_socket(World& world, int fd, const sockaddr* address, socklen_t size) {
    if (const int error = enter(world, Call::connect); error != 0) {
        return failed(error);
    }
    const auto socket = socket_at(world, fd);
    if (not socket) {
        return -1;
    }
    if (address->sa_family == AF_UNSPEC) {
        socket->peer = {};
        return 0;
    }
    const Address to = address_of(world, address, size);
    if (settle(world, socket) != 0) {
        return -1;
    }
    const auto stream = std::dynamic_pointer_cast<TcpSocket>(socket);
    if (not stream) {
        socket->peer = to;
        return 0;
    }
    const int begun = stream->connect(to);
    if (begun == 0 or errno != EINPROGRESS or stream->nonblocking) {
        return begun;
    }
    world.tasks.await([stream] { return stream->state() != TcpSocket::State::connecting; });
    const int error = stream->take_error();
    return error == 0 ? 0 : failed(error);
}

int accept_from(World& world, int fd, sockaddr* address, socklen_t* size, int flags) {
    if (const int error = enter(world, Call::accept); error != 0) {
        return failed(error);
    }
    Process& process = world.current();
    const auto listener = process.find_as<TcpSocket>(fd, EOPNOTSUPP);
    if (not listener) {
        return -1;
    }
    if (process.descriptors.size() >= process.most_descriptors) {
        return failed(EMFILE);
    }
    std::shared_ptr<TcpSocket> accepted;
    const int done = until_done(world, listener, POLLIN, not listener->nonblocking, [&] {
        accepted = listener->accept();
        return accepted ? 0 : -1;
    });
    if (done < 0) {
        return -1;
    }
    accepted->nonblocking = (flags & SOCK_NONBLOCK) != 0;
    accepted->peer.copy_to(address, size);
    return process.install(accepted);
}

std::span<const iovec> pieces_of(const msghdr& message) {
    return {message.msg_iov, message.msg_iovlen};
}

ssize_t send_message(World& world, const std::shared_ptr<Socket>& socket, const msghdr& message, int flags) {
    if (settle(world, socket) != 0) {
        return -1;
    }
    const auto datagrams = std::dynamic_pointer_cast<UdpSocket>(socket);
    if (datagrams and (flags & MSG_PROXY) != 0) {  // MSG_PROBE under glibc's name: nothing is sent
        return static_cast<ssize_t>(gather(pieces_of(message)).size());
    }
    const bool waits = not socket->nonblocking and (flags & MSG_DONTWAIT) == 0;
    return until_done(world, socket, POLLOUT, waits, [&] {
        if (datagrams and message.msg_name != nullptr) {
            return datagrams->send(
                gather(pieces_of(message)),
                address_of(world, static_cast<const sockaddr*>(message.msg_name), message.msg_namelen));
        }
        return socket->write(pieces_of(message));
    });
}

template <class Value>
void add_control(msghdr& message, std::size_t& used, int level, int type, const Value& value) {
    const std::size_t room = CMSG_SPACE(sizeof value);
    if (message.msg_control == nullptr or used + room > message.msg_controllen) {
        return;
    }
    auto* const header = reinterpret_cast<cmsghdr*>(static_cast<char*>(message.msg_control) + used);
    header->cmsg_level = level;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(sizeof value);
    std::memcpy(CMSG_DATA(header), &value, sizeof value);
    used += room;
}

/// The kernel's control messages of a datagram.
void describe(const UdpSocket& socket, const UdpSocket::Datagram& datagram, msghdr& message) {
    std::size_t used = 0;
    if (socket.option(SOL_SOCKET, SO_TIMESTAMPNS) != 0) {
        const Nanos wall = socket.process().host->wall(datagram.arrived);
        add_control(message, used, SOL_SOCKET, SCM_TIMESTAMPNS,
                    timespec{.tv_sec = wall.count() / 1'000'000'000, .tv_nsec = wall.count() % 1'000'000'000});
    }
    if (socket.option(SOL_SOCKET, SO_RXQ_OVFL) != 0 and socket.dropped > 0) {
        add_control(message, used, SOL_SOCKET, SO_RXQ_OVFL, socket.dropped);
    }
    if (socket.option(IPPROTO_IP, IP_RECVTTL) != 0) {
        add_control(message, used, IPPROTO_IP, IP_TTL, int{64});
    }
    if (socket.option(IPPROTO_IP, IP_RECVTOS) != 0) {
        add_control(message, used, IPPROTO_IP, IP_TOS, std::uint8_t{0});
    }
    message.msg_controllen = used;
}

ssize_t receive_datagram(UdpSocket& socket, msghdr& message, int flags) {
    const auto datagram = socket.take((flags & MSG_PEEK) != 0);
    if (not datagram) {
        return -1;
    }
    const std::size_t taken = scatter(pieces_of(message), datagram->bytes);
    message.msg_flags = taken < datagram->bytes.size() ? MSG_TRUNC : 0;
    datagram->from.copy_to(static_cast<sockaddr*>(message.msg_name), &message.msg_namelen);
    describe(socket, *datagram, message);
    return static_cast<ssize_t>((flags & MSG_TRUNC) != 0 ? datagram->bytes.size() : taken);
}

ssize_t receive_message(World& world, const std::shared_ptr<Socket>& socket, msghdr& message, int flags) {
    if ((flags & MSG_ERRQUEUE) != 0) {
        return failed<ssize_t>(EAGAIN);
    }
    const auto datagrams = std::dynamic_pointer_cast<UdpSocket>(socket);
    const auto stream = std::dynamic_pointer_cast<TcpSocket>(socket);
    const bool waits = not socket->nonblocking and (flags & MSG_DONTWAIT) == 0;
    return until_done(world, socket, POLLIN, waits, [&]() -> ssize_t {
        if (datagrams) {
            return receive_datagram(*datagrams, message, flags);
        }
        message.msg_controllen = 0;
        message.msg_flags = 0;
        if ((flags & MSG_PEEK) != 0 and not stream->readable().empty()) {
            return static_cast<ssize_t>(scatter(pieces_of(message), stream->readable()));
        }
        return stream->read(pieces_of(message));
    });
}

template <class Work>
auto on_socket(World& world, int fd, Call call, Work work) -> decltype(work(std::shared_ptr<Socket>())) {
    const int error = enter(world, call);
    const auto socket = socket_at(world, fd);
    if (not socket or error != 0) {
        return failed<decltype(work(socket))>(error != 0 ? error : errno);
    }
    return work(socket);
}

/// Senders of datagrams see errors on the way to a network device; a stream retransmits.
Call sending(World& world, int fd) {
    return dynamic_cast<const UdpSocket*>(world.current().find(fd).get()) != nullptr ? Call::send : Call::none;
}

int set_option(Socket& socket, int level, int name, const void* value, socklen_t size) {
    // Options of the newest kernels, or of special devices: programs work without them.
    if ((level == IPPROTO_UDP) or
        (level == SOL_SOCKET and (name == SO_TXTIME or name == SO_TIMESTAMPING or name == SO_ZEROCOPY))) {
        return failed(ENOPROTOOPT);
    }
    if (level == SOL_SOCKET and (name == SO_RCVBUFFORCE or name == SO_SNDBUFFORCE)) {
        return failed(EPERM);
    }
    socket.options[{level, name}] = std::string(static_cast<const char*>(value), size);
    if (level == SOL_SOCKET and name == SO_RCVBUF) {
        socket.receive_bytes = 2 * static_cast<std::size_t>(socket.option(level, name));
    }
    if (level == SOL_SOCKET and name == SO_SNDBUF) {
        socket.send_bytes = 2 * static_cast<std::size_t>(socket.option(level, name));
    }
    if (auto* const stream = dynamic_cast<TcpSocket*>(&socket); stream != nullptr) {
        stream->keep_alive();
    }
    return 0;
}

int give(void* out, socklen_t* size, const void* value, std::size_t value_size) {
    *size = static_cast<socklen_t>(std::min<std::size_t>(*size, value_size));
    std::memcpy(out, value, *size);
    return 0;
}

int get_option(Socket& socket, int level, int name, void* out, socklen_t* size) {
    const auto number = [=](std::size_t value) {
        const int given = static_cast<int>(value);
        return give(out, size, &given, sizeof given);
    };
    if (level == IPPROTO_TCP and name == TCP_INFO) {
        tcp_info info{};
        info.tcpi_state = TCP_ESTABLISHED;
        info.tcpi_rtt = 200;
        info.tcpi_snd_mss = 1448;
        return give(out, size, &info, sizeof info);
    }
    if (level == IPPROTO_IP and name == IP_MTU) {
        return number(1500);
    }
    if (level == SOL_SOCKET) {
        switch (name) {
            case SO_ERROR:
                return number(static_cast<std::size_t>(socket.take_error()));
            case SO_TYPE:
                return number(static_cast<std::size_t>(socket.type()));
            case SO_DOMAIN:
                return number(AF_INET);
            case SO_RCVBUF:
                return number(socket.receive_bytes);
            case SO_SNDBUF:
                return number(socket.send_bytes);
            case SO_ACCEPTCONN: {
                const auto* const stream = dynamic_cast<const TcpSocket*>(&socket);
                return number(stream != nullptr and stream->state() == TcpSocket::State::listening ? 1 : 0);
            }
            default:
                break;
        }
    }
    if (socket.options.contains({level, name})) {
        const std::string& value = socket.options.at({level, name});
        return give(out, size, value.data(), value.size());
    }
    return level == SOL_SOCKET or level == IPPROTO_IP or level == IPPROTO_TCP ? number(0) : failed(ENOPROTOOPT);
}

int control_device(World& world, int fd, unsigned long request, void* argument) {
    const auto description = world.current().find(fd);
    if (not description) {
        return -1;
    }
    auto* const number = static_cast<int*>(argument);
    const auto* const stream = dynamic_cast<const TcpSocket*>(description.get());
    switch (request) {
        case FIONBIO:
            description->nonblocking = *number != 0;
            return 0;
        case SIOCOUTQ:
            *number = stream != nullptr ? static_cast<int>(stream->unsent_bytes()) : 0;
            return 0;
        case FIONREAD:
            *number = stream != nullptr ? static_cast<int>(stream->readable().size()) : 0;
            return 0;
        default:
            return failed(EOPNOTSUPP);
    }
}

/// One block of memory, so that one call frees it.
struct Interfaces {
    std::array<ifaddrs, 2> list{};
    std::array<sockaddr_in, 2> addresses{};
    std::array<sockaddr_in, 2> masks{};
    std::array<char[4], 2> names{{"lo", "eth"}};
};

ifaddrs* interfaces_of(const Host& host) {
    auto* const all = new (std::malloc(sizeof(Interfaces))) Interfaces;
    const std::array<std::uint32_t, 2> addresses{INADDR_LOOPBACK, host.address};
    for (std::size_t i = 0; i < 2; ++i) {
        all->addresses[i].sin_family = all->masks[i].sin_family = AF_INET;
        all->addresses[i].sin_addr.s_addr = htonl(addresses[i]);
        all->masks[i].sin_addr.s_addr = htonl(0xFFFFFF00);
        all->list[i] = {.ifa_next = i == 0 ? &all->list[1] : nullptr,
                        .ifa_name = all->names[i],
                        .ifa_flags = i == 0 ? unsigned{IFF_UP} | unsigned{IFF_LOOPBACK} : unsigned{IFF_UP},
                        .ifa_addr = reinterpret_cast<sockaddr*>(&all->addresses[i]),
                        .ifa_netmask = reinterpret_cast<sockaddr*>(&all->masks[i]),
                        .ifa_ifu = {},
                        .ifa_data = nullptr};
    }
    return all->list.data();
}

}  // namespace
}  // namespace groma::world

namespace world = groma::world;
namespace real = groma::world::real;
using groma::world::Call;
using groma::world::simulated;
using groma::world::simulated_at;

extern "C" {

int socket(int domain, int type, int protocol) noexcept {
    REAL_UNLESS(simulated(), socket, domain, type, protocol);
    return world::make_socket(*here, domain, type, protocol);
}

int bind(int fd, const sockaddr* address, socklen_t size) noexcept {
    REAL_UNLESS(simulated_at(fd), bind, fd, address, size);
    return world::on_socket(*here, fd, Call::none, [&](const auto& socket) {
        return here->network.bind(socket, world::address_of(*here, address, size));
    });
}

int listen(int fd, int backlog) noexcept {
    REAL_UNLESS(simulated_at(fd), listen, fd, backlog);
    enter(*here);
    const auto stream = here->current().find_as<world::TcpSocket>(fd, EOPNOTSUPP);
    return stream ? stream->listen(backlog) : -1;
}

int connect(int fd, const sockaddr* address, socklen_t size) {
    REAL_UNLESS(simulated_at(fd), connect, fd, address, size);
    return world::connect_socket(*here, fd, address, size);
}

int accept4(int fd, sockaddr* address, socklen_t* size, int flags) {
    REAL_UNLESS(simulated_at(fd), accept4, fd, address, size, flags);
    return world::accept_from(*here, fd, address, size, flags);
}

int accept(int fd, sockaddr* address, socklen_t* size) {
    return accept4(fd, address, size, 0);
}

int shutdown(int fd, int how) noexcept {
    REAL_UNLESS(simulated_at(fd), shutdown, fd, how);
    enter(*here);
    const auto stream = here->current().find_as<world::TcpSocket>(fd, ENOTCONN);
    return stream ? stream->shutdown(how) : -1;
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    REAL_UNLESS(simulated_at(fd), sendmsg, fd, message, flags);
    return world::on_socket(*here, fd, world::sending(*here, fd),
                            [&](const auto& socket) { return world::send_message(*here, socket, *message, flags); });
}

ssize_t sendto(int fd, const void* bytes, std::size_t size, int flags, const sockaddr* to, socklen_t to_size) {
    iovec piece{const_cast<void*>(bytes), size};
    msghdr message{};
    message.msg_name = const_cast<sockaddr*>(to);
    message.msg_namelen = to_size;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    return sendmsg(fd, &message, flags);
}

ssize_t send(int fd, const void* bytes, std::size_t size, int flags) {
    return sendto(fd, bytes, size, flags, nullptr, 0);
}

int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
    REAL_UNLESS(simulated_at(fd), sendmmsg, fd, messages, count, flags);
    for (unsigned i = 0; i < count; ++i) {
        const ssize_t sent = sendmsg(fd, &messages[i].msg_hdr, flags);
        if (sent < 0) {
            return i == 0 ? -1 : static_cast<int>(i);
        }
        messages[i].msg_len = static_cast<unsigned>(sent);
    }
    return static_cast<int>(count);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
    REAL_UNLESS(simulated_at(fd), recvmsg, fd, message, flags);
    return world::on_socket(*here, fd, Call::none,
                            [&](const auto& socket) { return world::receive_message(*here, socket, *message, flags); });
}

ssize_t recvfrom(int fd, void* out, std::size_t size, int flags, sockaddr* from, socklen_t* from_size) {
    iovec piece{out, size};
    msghdr message{};
    message.msg_name = from;
    message.msg_namelen = from_size != nullptr ? *from_size : 0;
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    const ssize_t received = recvmsg(fd, &message, flags);
    if (from_size != nullptr) {
        *from_size = message.msg_namelen;
    }
    return received;
}

ssize_t recv(int fd, void* out, std::size_t size, int flags) {
    return recvfrom(fd, out, size, flags, nullptr, nullptr);
}

int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
    REAL_UNLESS(simulated_at(fd), recvmmsg, fd, messages, count, flags, timeout);
    unsigned done = 0;
    for (; done < count; ++done) {
        const int now = done > 0 ? MSG_DONTWAIT : 0;
        const ssize_t received = recvmsg(fd, &messages[done].msg_hdr, (flags & ~MSG_WAITFORONE) | now);
        if (received < 0) {
            break;
        }
        messages[done].msg_len = static_cast<unsigned>(received);
    }
    return done == 0 and count > 0 ? -1 : static_cast<int>(done);
}

int setsockopt(int fd, int level, int name, const void* value, socklen_t size) noexcept {
    REAL_UNLESS(simulated_at(fd), setsockopt, fd, level, name, value, size);
    return world::on_socket(*here, fd, Call::none,
                            [=](const auto& socket) { return world::set_option(*socket, level, name, value, size); });
}

int getsockopt(int fd, int level, int name, void* out, socklen_t* size) noexcept {
    REAL_UNLESS(simulated_at(fd), getsockopt, fd, level, name, out, size);
    return world::on_socket(*here, fd, Call::none,
                            [=](const auto& socket) { return world::get_option(*socket, level, name, out, size); });
}

int getsockname(int fd, sockaddr* address, socklen_t* size) noexcept {
    REAL_UNLESS(simulated_at(fd), getsockname, fd, address, size);
    return world::on_socket(*here, fd, Call::none, [=](const auto& socket) {
        socket->local.copy_to(address, size);
        return 0;
    });
}

int getpeername(int fd, sockaddr* address, socklen_t* size) noexcept {
    REAL_UNLESS(simulated_at(fd), getpeername, fd, address, size);
    return world::on_socket(*here, fd, Call::none, [=](const auto& socket) {
        socket->peer.copy_to(address, size);
        return socket->peer.port != 0 ? 0 : world::failed(ENOTCONN);
    });
}

int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list list;
    va_start(list, request);
    void* const argument = va_arg(list, void*);
    va_end(list);
    REAL_UNLESS(simulated_at(fd), ioctl, fd, request, argument);
    return world::control_device(*here, fd, request, argument);
}

int getifaddrs(ifaddrs** all) noexcept {
    REAL_UNLESS(simulated(), getifaddrs, all);
    *all = world::interfaces_of(*here->current().host);
    return 0;
}

void freeifaddrs(ifaddrs* all) noexcept {
    static const auto give_back = real::call<decltype(&::freeifaddrs)>("freeifaddrs");
    simulated() == nullptr ? give_back(all) : std::free(all);
}

}  // extern "C"
