#include "common/net/channel/message_batch.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <cerrno>

#include "common/net/socket/socket.hpp"

namespace groma {

MessageBatch::MessageBatch(std::size_t prefix_bytes) noexcept {
    const std::size_t unused = prefix_bytes > 0 ? 0 : 1;
    for (std::size_t i = 0; i < kMost; ++i) {
        pieces_[kPieces * i] = {.iov_base = prefixes_[i].data(), .iov_len = prefix_bytes};
        messages_[i].msg_hdr.msg_iov = &pieces_[kPieces * i + unused];
        messages_[i].msg_hdr.msg_iovlen = kPieces - unused;
    }
}

void MessageBatch::set_control(std::size_t index, std::span<std::byte> control) noexcept {
    messages_[index].msg_hdr.msg_control = control.data();
    messages_[index].msg_hdr.msg_controllen = control.size();
}

std::size_t MessageBatch::send(int fd, std::span<const Frame> frames) noexcept {
    const std::size_t count = std::min(frames.size(), kMost);
    for (std::size_t i = 0; i < count; ++i) {
        pieces_[kPieces * i + 1] = as_iovec(std::span(frames[i].header).first(frames[i].header_bytes));
        pieces_[kPieces * i + 2] = as_iovec(frames[i].rest);
    }
    if (count == 1) {  // a packet on its own is on time: the call with the least to do
        return ::sendmsg(fd, &messages_[0].msg_hdr, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 ? 1 : 0;
    }
    const int sent = ::sendmmsg(fd, messages_.data(), static_cast<unsigned>(count), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

SendStatus status_of_send(int errno_value) noexcept {
    switch (errno_value) {
        case EAGAIN:
            return SendStatus::would_block;
        case ENOBUFS:
        case ENOMEM:
        case ENETDOWN:
        case ENETUNREACH:
        case EHOSTUNREACH:
        case EPERM:  // a firewall of this host, which may relent
        case EACCES:
            return SendStatus::dropped;
        case EMSGSIZE:
            return SendStatus::too_big;
        case ECONNREFUSED:
            return SendStatus::refused;
        case EPIPE:
        case ECONNRESET:
        case ECONNABORTED:
        case ENOTCONN:
        case ETIMEDOUT:
            return SendStatus::closed;
        default:
            return SendStatus::failed;
    }
}

void report_errors(const FileDescriptor& socket, int family) {
    if (family == AF_INET) {
        set_option(socket, IPPROTO_IP, IP_RECVERR, 1, "IP_RECVERR");
    } else {
        set_option(socket, IPPROTO_IPV6, IPV6_RECVERR, 1, "IPV6_RECVERR");
    }
}

// The details of errors queue up at the socket, which counts as in error as long as there are any. DCCP has no such
// queue and takes the call for a read, which gives 0 for ever once the peer is gone: a true report is marked.
void clear_error_reports(int fd) noexcept {
    msghdr report{};
    do {
        report.msg_flags = 0;
    } while (::recvmsg(fd, &report, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0 and (report.msg_flags & MSG_ERRQUEUE) != 0);
}

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

}  // namespace groma
