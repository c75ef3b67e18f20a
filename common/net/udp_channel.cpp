#include "common/net/udp_channel.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <cerrno>

#include "common/base/errors.hpp"
#include "common/net/socket.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;

iovec piece(std::span<const std::byte> bytes) noexcept {
    return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};  // the kernel only reads it
}

void report_errors(const FileDescriptor& socket, const SocketAddress& to) {
    if (to.is_ipv4()) {
        set_option(socket, IPPROTO_IP, IP_RECVERR, 1, "IP_RECVERR");
    } else {
        set_option(socket, IPPROTO_IPV6, IPV6_RECVERR, 1, "IPV6_RECVERR");
    }
}

// ICMP messages about packets sent before come back as the error of the next send, which then sends nothing.
bool may_report_an_earlier_packet(int errno_value) noexcept {
    switch (errno_value) {
        case ECONNREFUSED:
        case EMSGSIZE:
        case EHOSTUNREACH:
        case ENETUNREACH:
        case ENOPROTOOPT:
        case EPROTO:
            return true;
        default:
            return false;
    }
}

SendStatus status_of(int errno_value) noexcept {
    switch (errno_value) {
        case EAGAIN:
            return SendStatus::would_block;
        case ENOBUFS:
        case ENOMEM:
        case ENETDOWN:
        case ENETUNREACH:
        case EHOSTUNREACH:
            return SendStatus::dropped;
        case EMSGSIZE:
            return SendStatus::too_big;
        case ECONNREFUSED:
            return SendStatus::refused;
        default:
            return SendStatus::failed;
    }
}

}  // namespace

UdpChannel::UdpChannel(const SocketAddress& to) : to_(to), socket_(open_socket(to, SOCK_DGRAM)) {
    ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    report_errors(socket_, to);
    if (::connect(socket_.get(), to.data(), to.size()) < 0) {
        const int error = errno;
        throw SystemError("send to " + to.to_string() + " over UDP", error,
                          "check the address and the routes: ip route get " + to.host_to_string());
    }
    for (std::size_t i = 0; i < kBatch; ++i) {
        messages_[i].msg_hdr.msg_iov = &pieces_[2 * i];
        messages_[i].msg_hdr.msg_iovlen = 2;
    }
}

SendOutcome UdpChannel::send(std::span<const Frame> frames) noexcept {
    SendOutcome outcome;
    bool tried_again = false;
    while (outcome.sent < frames.size()) {
        const std::size_t count = send_some(frames.subspan(outcome.sent));
        outcome.sent += count;
        if (count > 0) {
            tried_again = false;
            continue;
        }
        const int error = errno;
        clear_reports();
        if (tried_again or not may_report_an_earlier_packet(error)) {
            return {.sent = outcome.sent, .status = status_of(error), .errno_value = error};
        }
        tried_again = true;
        if (error == ECONNREFUSED) {
            outcome.status = SendStatus::refused;
            outcome.errno_value = error;
        }
    }
    return outcome;
}

std::size_t UdpChannel::send_some(std::span<const Frame> frames) noexcept {
    const std::size_t count = std::min(frames.size(), kBatch);
    for (std::size_t i = 0; i < count; ++i) {
        const Frame& frame = frames[i];
        pieces_[2 * i] = piece(std::span(frame.header).first(frame.header_bytes));
        pieces_[2 * i + 1] = piece(frame.rest);
    }
    if (count == 1) {  // a packet on its own is on time: the call with the least to do
        return ::sendmsg(socket_.get(), &messages_[0].msg_hdr, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ? 1 : 0;
    }
    const int sent =
        ::sendmmsg(socket_.get(), messages_.data(), static_cast<unsigned>(count), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

// The details of errors queue up at the socket, which counts as in error as long as there are any.
void UdpChannel::clear_reports() noexcept {
    msghdr nothing{};
    while (::recvmsg(socket_.get(), &nothing, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0) {
    }
}

bool UdpChannel::finish(Nanos) noexcept {
    return true;  // nothing is ever held, and UDP has no end to tell
}

SocketAddress UdpChannel::local_address() const {
    return local_address_of(socket_.get());
}

std::uint64_t UdpChannel::send_buffer() const noexcept {
    return buffer_size(socket_, SO_SNDBUF);
}

}  // namespace groma
