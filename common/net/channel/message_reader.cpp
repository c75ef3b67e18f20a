#include "common/net/channel/message_reader.hpp"

#include <linux/sctp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "common/wire/reply.hpp"

namespace groma {

namespace {

/// 0 when the kernel does not say.
std::uint16_t stream_of(msghdr& message) noexcept {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level == IPPROTO_SCTP and part->cmsg_type == SCTP_RCVINFO) {
            sctp_rcvinfo info{};
            std::memcpy(&info, CMSG_DATA(part), sizeof info);
            return info.rcv_sid;
        }
    }
    return 0;
}

}  // namespace

MessageReader::MessageReader(const InboxSpec& spec, PacketKind kind, Clock& clock)
    : flow_(spec.flow),
      transport_(spec.transport),
      shared_(spec.options.association.has_value()),
      header_(spec.header),
      kind_(kind),
      clock_(clock),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferSize)) {}

std::size_t MessageReader::drain(int fd, std::span<Arrival> out) noexcept {
    const std::uint64_t malformed = counts_.malformed;
    std::size_t count = 0;
    while (count < out.size() and counts_.malformed - malformed < kMostMalformedAtOnce and
           state_ == InboxState::open and read_message(fd)) {
        const WallTime now = clock_.wall_now();
        if (parse(std::exchange(filled_, 0), out[count])) {
            out[count++].received_at = now;
        } else {
            ++counts_.malformed;
        }
    }
    return count;
}

bool MessageReader::parse(std::size_t size, Arrival& out) noexcept {
    const auto start = std::span<const std::byte>(buffer_.get(), std::min(size, kReplyHeaderSize));
    out = Arrival{};
    out.size = static_cast<std::uint32_t>(size);
    out.stream = stream_;
    if (kind_ == PacketKind::reply) {
        const auto reply = parse_reply(start, header_);
        if (not reply) {
            return false;
        }
        out.header = reply->header;
        out.reflected_at = reply->stamps.reflected_at;
        out.replied_at = reply->stamps.replied_at;
    } else if (const auto header = parse_packet(start, header_)) {
        out.header = *header;
    } else {
        return false;
    }
    return shared_ or out.header.flow.value_or(flow_) == flow_;
}

/// Returns: false when there is no whole message for now, or ever again.
bool MessageReader::read_message(int fd) noexcept {
    bool whole = false;
    while (not whole) {
        if (not read_piece(fd, whole)) {
            return false;
        }
    }
    return true;
}

// SCTP may hand out a message in pieces, the last of which is marked (MSG_EOR); DCCP never does.
bool MessageReader::read_piece(int fd, bool& whole) noexcept {
    iovec piece{.iov_base = buffer_.get() + filled_, .iov_len = kBufferSize - filled_};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(sctp_rcvinfo))> control{};
    if (shared_) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
    }
    const ssize_t count = ::recvmsg(fd, &message, MSG_DONTWAIT);
    if (count > 0) {
        stream_ = stream_of(message);
        filled_ += static_cast<std::size_t>(count);
        whole = transport_ == Transport::dccp or (message.msg_flags & MSG_EOR) != 0;
        if (not whole and filled_ == kBufferSize) {
            ++counts_.malformed;
            state_ = InboxState::broken;
            return false;
        }
        return true;
    }
    if (count == 0) {
        state_ = filled_ > 0 ? InboxState::broken : InboxState::ended;
    } else if (errno != EAGAIN and errno != EINTR) {
        state_ = InboxState::broken;
    }
    return false;
}

}  // namespace groma
