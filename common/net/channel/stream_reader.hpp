// Reads the frames of one flow from a connected stream socket (common/wire/stream_frame.hpp). A packet has arrived when
// its last byte was read; its time is that of the read. Of large frames only the beginnings are copied: their filler is
// of no meaning, and the kernel drops it unread (MSG_TRUNC on a TCP socket, tcp(7)).
#pragma once

#include <sys/types.h>

#include <memory>
#include <span>

#include "common/net/channel/inbox.hpp"
#include "common/time/clock.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

class StreamReader {
public:
    /// The clock outlives the reader.
    StreamReader(FlowId flow, const PacketFormat& packets, PacketKind kind, Clock& clock);

    /// As Inbox::drain(); a read that empties the socket is the last one. Packet path.
    [[nodiscard]] std::size_t drain(int fd, std::span<Arrival> out) noexcept;
    /// Another connection is read from now on; the counts go on.
    void restart() noexcept;
    [[nodiscard]] InboxState state() const noexcept { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept { return counts_; }
    /// Connections of strangers are counted here as well.
    [[nodiscard]] std::uint64_t& foreign() noexcept { return counts_.foreign; }

private:
    static constexpr std::size_t kBufferSize = std::size_t{256} << 10U;
    /// Filler of at least so many bytes is dropped by a call of its own, which costs less than copying it.
    static constexpr std::size_t kWorthDropping = std::size_t{32} << 10U;
    /// What is read of a stream of large frames to find the next header: the rest of the read is copied in vain.
    static constexpr std::size_t kLook = 512;

    /// Of the rest of a large frame at most so much is waited for at once (SO_RCVLOWAT), and at most this part of the
    /// socket's buffer, about a quarter of its window, so that the sender is not held up.
    static constexpr std::size_t kMostAwaited = std::size_t{64} << 10U;
    static constexpr std::size_t kPartAwaited = 8;

    [[nodiscard]] bool read_more(int fd) noexcept;
    void wait_for_more(int fd) noexcept;
    [[nodiscard]] ssize_t receive(int fd) noexcept;
    [[nodiscard]] std::size_t parse(std::span<Arrival> out) noexcept;

    FlowId flow_;
    PacketFormat packets_;
    PacketKind kind_;
    Clock& clock_;
    StreamFrameParser parser_;
    std::unique_ptr<std::byte[]> buffer_;  ///< the kernel backs it with memory when it is touched
    std::span<const std::byte> unread_;    ///< what of `buffer_` is not parsed yet
    WallTime read_at_{};
    bool large_frames_ = false;  ///< the last frame was
    int awaited_ = 1;            ///< bytes that make the socket readable
    bool emptied_ = false;       ///< the last read got less than there was room for
    InboxCounts counts_;
    InboxState state_ = InboxState::open;
};

}  // namespace groma
