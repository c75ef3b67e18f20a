#include "common/net/channel/stream_reader.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "common/net/socket/socket.hpp"

namespace groma {

StreamReader::StreamReader(FlowId flow, const PacketFormat& packets, PacketKind kind, Clock& clock)
    : flow_(flow),
      packets_(packets),
      kind_(kind),
      clock_(clock),
      parser_(packets, kind),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(kBufferSize)) {}

void StreamReader::restart() noexcept {
    parser_ = StreamFrameParser(packets_, kind_);
    unread_ = {};
    large_frames_ = false;
    awaited_ = 1;
    state_ = InboxState::open;
}

std::size_t StreamReader::drain(int fd, std::span<Arrival> out) noexcept {
    const std::uint64_t before = in_vain(counts_);
    std::size_t filled = parse(out);
    emptied_ = false;
    while (filled < out.size() and in_vain(counts_) - before < kMostInVainAtOnce and state_ == InboxState::open and
           not emptied_ and read_more(fd)) {
        filled += parse(out.subspan(filled));
    }
    wait_for_more(fd);
    return filled;
}

/// The socket is readable when so much of the rest of a large frame is there, not at its every segment: fewer reads,
/// and fewer acknowledgements of them. The frame's last byte is waited for exactly.
void StreamReader::wait_for_more(int fd) noexcept {
    std::size_t worth_a_read = emptied_ ? std::min(parser_.filler_left(), kMostAwaited) : 0;
    if (worth_a_read >= kWorthDropping) {
        worth_a_read = std::min<std::size_t>(worth_a_read, buffer_size(fd, SO_RCVBUF) / kPartAwaited);
    }
    const int wanted = worth_a_read < kWorthDropping ? 1 : static_cast<int>(worth_a_read);
    if (wanted != awaited_ and ::setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &wanted, sizeof wanted) == 0) {
        awaited_ = wanted;
    }
}

/// As recv(2): reads into the buffer, or has the kernel drop what is left of a large frame. The buffer is given to
/// it then as well, for a kernel that copies all the same.
ssize_t StreamReader::receive(int fd) noexcept {
    const std::size_t filler = parser_.filler_left();
    if (filler < kWorthDropping) {
        const std::size_t size = large_frames_ ? filler + kLook : kBufferSize;
        const ssize_t count = ::recv(fd, buffer_.get(), size, MSG_DONTWAIT);
        unread_ = std::span(buffer_.get(), count > 0 ? static_cast<std::size_t>(count) : 0);
        emptied_ = unread_.size() < size;
        return count;
    }
    const ssize_t count = ::recv(fd, buffer_.get(), std::min(filler, kBufferSize), MSG_DONTWAIT | MSG_TRUNC);
    const std::size_t dropped = count > 0 ? static_cast<std::size_t>(count) : 0;
    parser_.pass_over(dropped);
    emptied_ = dropped < std::min(filler, kBufferSize);
    return count;
}

/// Returns: false when there is nothing to read for now, or ever again.
bool StreamReader::read_more(int fd) noexcept {
    const ssize_t count = receive(fd);
    if (count > 0) {
        read_at_ = clock_.wall_now();
        return true;
    }
    if (count == 0) {
        state_ = parser_.within_frame() ? InboxState::broken : InboxState::ended;
    } else if (errno != EAGAIN and errno != EINTR) {
        state_ = InboxState::broken;
    }
    return false;
}

std::size_t StreamReader::parse(std::span<Arrival> out) noexcept {
    std::size_t filled = 0;
    while (filled < out.size()) {
        const auto frame = parser_.next(unread_);
        if (not frame) {
            break;
        }
        large_frames_ = frame->size > kWorthDropping + kLook;
        if (not frame->header or frame->header->flow.value_or(flow_) != flow_) {
            ++(frame->forged ? counts_.forged : counts_.malformed);
            continue;
        }
        out[filled++] = {.received_at = read_at_,
                         .header = *frame->header,
                         .size = frame->size,
                         .reflected_at = frame->stamps.reflected_at,
                         .replied_at = frame->stamps.replied_at};
    }
    if (parser_.failed() and state_ == InboxState::open) {
        ++counts_.malformed;
        state_ = InboxState::broken;
    }
    return filled;
}

}  // namespace groma
