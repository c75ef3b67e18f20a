#include "common/net/message_inbox.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "common/os/system_clock.hpp"

namespace groma {

MessageInbox::MessageInbox(const InboxSpec& spec, FileDescriptor listener, std::vector<std::string> remarks)
    : flow_(spec.flow),
      transport_(spec.transport),
      header_(spec.header),
      remarks_(std::move(remarks)),
      connection_(std::move(listener), spec.expected_peer, spec.dial),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferSize)) {}

std::size_t MessageInbox::drain(std::span<Arrival> out) noexcept {
    if (not connection_.connected(counts_.foreign)) {
        return 0;
    }
    SystemClock clock;
    std::size_t count = 0;
    while (count < out.size() and state_ == InboxState::open and read_message()) {
        const WallTime now = clock.wall_now();
        const std::size_t size = std::exchange(filled_, 0);
        const auto start = std::span(buffer_.get(), std::min(size, kPacketHeaderSize));
        const auto prefix = parse_packet(start, header_);
        if (not prefix or prefix->flow.value_or(flow_) != flow_) {
            ++counts_.malformed;
            continue;
        }
        out[count++] = {.received_at = now, .header = *prefix, .size = static_cast<std::uint32_t>(size)};
    }
    return count;
}

/// Returns: false when there is no whole message for now, or ever again.
bool MessageInbox::read_message() noexcept {
    bool whole = false;
    while (not whole) {
        if (not read_piece(whole)) {
            return false;
        }
    }
    return true;
}

// SCTP may hand out a message in pieces, the last of which is marked (MSG_EOR); DCCP never does.
bool MessageInbox::read_piece(bool& whole) noexcept {
    iovec piece{.iov_base = buffer_.get() + filled_, .iov_len = kBufferSize - filled_};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    const ssize_t count = ::recvmsg(connection_.fd(), &message, MSG_DONTWAIT);
    if (count > 0) {
        filled_ += static_cast<std::size_t>(count);
        whole = transport_ == Transport::dccp or (message.msg_flags & MSG_EOR) != 0;
        if (not whole and filled_ == kBufferSize) {
            ++counts_.malformed;
            end(InboxState::broken);
            return false;
        }
        return true;
    }
    if (count == 0) {
        end(filled_ > 0 ? InboxState::broken : InboxState::ended);
    } else if (errno != EAGAIN and errno != EINTR) {
        end(InboxState::broken);
    }
    return false;
}

void MessageInbox::end(InboxState state) noexcept {
    state_ = state;
    ::shutdown(connection_.fd(), SHUT_RDWR);  // a peer that goes on sending learns that nobody reads
}

}  // namespace groma
