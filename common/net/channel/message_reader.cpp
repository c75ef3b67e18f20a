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
      packets_(spec.format()),
      kind_(kind),
      clock_(clock),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferSize)) {}

std::size_t MessageReader::drain(int fd, std::span<Arrival> out) noexcept {
    const std::uint64_t before = in_vain(counts_);
    std::size_t count = 0;
    while (count < out.size() and in_vain(counts_) - before < kMostInVainAtOnce and state_ == InboxState::open and
           read_message(fd)) {
        const WallTime now = clock_.wall_now();
        if (parse(std::exchange(filled_, 0), out[count])) {
            out[count++].received_at = now;
        }
    }
    return count;
}

bool MessageReader::parse(std::size_t size, Arrival& out) noexcept {
    const auto [packet, forged] = packets_.read(std::span(buffer_.get(), size), size, kind_);
    if (not packet or not(shared_ or packet->header.flow.value_or(flow_) == flow_)) {
        ++(forged ? counts_.forged : counts_.malformed);
        return false;
    }
    out = Arrival{};
    out.header = packet->header;
    out.size = static_cast<std::uint32_t>(size);
    out.stream = stream_;
    out.reflected_at = packet->stamps.reflected_at;
    out.replied_at = packet->stamps.replied_at;
    return true;
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
