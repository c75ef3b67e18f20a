#include "common/shipping/datagram/udp_batch.hpp"

#include <sys/uio.h>
#include <algorithm>

#include <cerrno>
#include <cstring>

#include "common/base/errors.hpp"
#include "common/shipping/datagram/datagram_format.hpp"

namespace groma {

namespace {

// Large enough to detect a datagram that is too long.
constexpr std::size_t kSlotBytes = kLongestDatagram + 1;
constexpr std::size_t kControlBytes = CMSG_SPACE(sizeof(in6_pktinfo)) + CMSG_SPACE(sizeof(std::uint32_t));

struct Control {
    alignas(cmsghdr) std::array<std::byte, kControlBytes> bytes;
};

template <typename Value>
void set_control(msghdr& message, Control& control, int level, int type, const Value& value) noexcept {
    message.msg_control = control.bytes.data();
    message.msg_controllen = CMSG_SPACE(sizeof value);
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = level;
    part->cmsg_type = type;
    part->cmsg_len = CMSG_LEN(sizeof value);
    std::memcpy(CMSG_DATA(part), &value, sizeof value);
}

}  // namespace

struct UdpBatch::Memory {
    struct Side {
        std::array<mmsghdr, kDatagrams> messages{};
        std::array<iovec, kDatagrams> pieces{};
        std::array<Control, kDatagrams> controls;
        // Not touched before use.
        std::unique_ptr<std::byte[]> bytes = std::make_unique_for_overwrite<std::byte[]>(kDatagrams * kSlotBytes);

        [[nodiscard]] std::span<std::byte> slot(std::size_t index) const noexcept {
            return std::span(bytes.get(), kDatagrams * kSlotBytes).subspan(index * kSlotBytes, kSlotBytes);
        }
    };
    Side in;
    Side out;
    std::array<UdpRoute, kDatagrams> routes{};
    std::array<const UdpRoute*, kDatagrams> out_routes{};
};

UdpBatch::UdpBatch() : memory_(std::make_unique<Memory>()) {
    for (auto* const side : {&memory_->in, &memory_->out}) {
        for (std::size_t i = 0; i < kDatagrams; ++i) {
            side->pieces[i] = {.iov_base = side->slot(i).data(), .iov_len = kSlotBytes};
            side->messages[i].msg_hdr.msg_iov = &side->pieces[i];
            side->messages[i].msg_hdr.msg_iovlen = 1;
        }
    }
}

UdpBatch::~UdpBatch() = default;

std::size_t UdpBatch::receive(const FileDescriptor& socket) noexcept {
    auto& in = memory_->in;
    for (std::size_t i = 0; i < kDatagrams; ++i) {
        msghdr& message = in.messages[i].msg_hdr;
        message.msg_name = &memory_->routes[i].peer;
        message.msg_namelen = sizeof(sockaddr_storage);
        message.msg_control = in.controls[i].bytes.data();
        message.msg_controllen = kControlBytes;
    }
    const int count = ::recvmmsg(socket.get(), in.messages.data(), kDatagrams, MSG_DONTWAIT, nullptr);
    for (int i = 0; i < count; ++i) {
        auto& message = in.messages[static_cast<std::size_t>(i)].msg_hdr;
        UdpRoute& route = memory_->routes[static_cast<std::size_t>(i)];
        route.peer_size = message.msg_namelen;
        for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
            if (part->cmsg_level == SOL_SOCKET and part->cmsg_type == SO_RXQ_OVFL) {
                std::memcpy(&kernel_drops_, CMSG_DATA(part), sizeof kernel_drops_);
            } else if (part->cmsg_level == IPPROTO_IP and part->cmsg_type == IP_PKTINFO) {
                std::memcpy(&route.local4, CMSG_DATA(part), sizeof route.local4);
                route.local4.ipi_ifindex = 0;  // the routing table chooses the way back
            } else if (part->cmsg_level == IPPROTO_IPV6 and part->cmsg_type == IPV6_PKTINFO) {
                std::memcpy(&route.local6, CMSG_DATA(part), sizeof route.local6);
                if (not IN6_IS_ADDR_LINKLOCAL(&route.local6.ipi6_addr)) {
                    route.local6.ipi6_ifindex = 0;
                }
            }
        }
    }
    return count > 0 ? static_cast<std::size_t>(count) : 0;
}

std::span<const std::byte> UdpBatch::received(std::size_t index) const noexcept {
    return memory_->in.slot(index).first(memory_->in.messages[index].msg_len);
}

bool UdpBatch::too_long(std::size_t index) const noexcept {
    return memory_->in.messages[index].msg_len > kLongestDatagram;
}

const UdpRoute& UdpBatch::route(std::size_t index) const noexcept {
    return memory_->routes[index];
}

std::span<std::byte> UdpBatch::slot() noexcept {
    check(not full(), "a batch of datagrams is full");
    return memory_->out.slot(queued_).first(kLongestDatagram);
}

void UdpBatch::add(std::size_t bytes, const UdpRoute* route) noexcept {
    auto& out = memory_->out;
    msghdr& message = out.messages[queued_].msg_hdr;
    out.pieces[queued_].iov_len = bytes;
    memory_->out_routes[queued_] = route;
    message.msg_name = nullptr;
    message.msg_namelen = 0;
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    if (route != nullptr) {
        // The kernel only reads it.
        message.msg_name = const_cast<sockaddr_storage*>(&route->peer);
        message.msg_namelen = route->peer_size;
        if (route->peer.ss_family == AF_INET6) {
            set_control(message, out.controls[queued_], IPPROTO_IPV6, IPV6_PKTINFO, route->local6);
        } else {
            set_control(message, out.controls[queued_], IPPROTO_IP, IP_PKTINFO, route->local4);
        }
    }
    ++queued_;
}

int UdpBatch::send(const FileDescriptor& socket) noexcept {
    // Sends the first one alone: sendmmsg(2) loses an error between two datagrams of one call. If a neighbour refuses
    // the first during the call, that may be the only report, since hosts limit the rate of refusals.
    std::size_t most = 1;
    while (sent_ < queued_) {
        const int count =
            ::sendmmsg(socket.get(), &memory_->out.messages[sent_],
                       static_cast<unsigned>(std::min(most, queued_ - sent_)), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            return errno;
        }
        sent_ += static_cast<std::size_t>(count);
        most = kDatagrams;
    }
    forget_sent();
    return 0;
}

void UdpBatch::skip() noexcept {
    ++sent_;
    forget_sent();
}

const UdpRoute* UdpBatch::first_route() const noexcept {
    return memory_->out_routes[sent_];
}

void UdpBatch::forget_sent() noexcept {
    if (sent_ == queued_) {
        sent_ = queued_ = 0;
    }
}

}  // namespace groma
