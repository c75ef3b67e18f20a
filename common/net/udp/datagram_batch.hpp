// Frames as datagrams, in as few messages and system calls as they fit: a run of frames of one size goes as a single
// message, which the kernel cuts apart again behind most of its work (UDP_SEGMENT, udp(7): generic segmentation
// offload, GSO). The messages go with one sendmmsg(2).
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/net/channel/channel.hpp"

namespace groma {

/// Room for one batch at a time; it holds nothing between two calls, so that all flows of a thread can share one.
class DatagramBatch {
public:
    static constexpr std::size_t kMost = 256;         ///< frames in a call
    static constexpr std::size_t kMostSegments = 64;  ///< in a message: what every kernel with UDP_SEGMENT takes
    static constexpr std::size_t kMostBytes = 65507;  ///< of a message, as of a datagram over IPv4

    DatagramBatch() noexcept;

    /// Frames larger than `largest_segment` bytes go as messages of their own; 0: all do.
    /// Returns: how many of the frames, from the first, the kernel took; 0 with errno set. At most kMost of them are
    /// offered. Packet path.
    [[nodiscard]] std::size_t send(int fd, std::span<const Frame> frames, std::size_t largest_segment) noexcept;

    /// How many of the frames, from the first, can go as one message: those of the first one's size and one behind them
    /// that is smaller. Requires: there are frames.
    [[nodiscard]] static std::size_t run_length(std::span<const Frame> frames, std::size_t largest_segment) noexcept;

private:
    /// To copy a frame this small costs less than to have the kernel look for its pieces.
    static constexpr std::size_t kCopiedUpTo = 256;

    struct Control {
        alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(std::uint16_t))> bytes{};
    };

    void add_message(std::span<const Frame> run) noexcept;
    void add_in_place(std::span<const Frame> run) noexcept;
    void add_copy(std::span<const Frame> run) noexcept;

    std::array<mmsghdr, kMost> messages_{};
    std::array<std::uint8_t, kMost> run_lengths_{};  ///< frames of each message
    std::array<Control, kMost / 2> controls_{};      ///< of messages with more than one frame
    std::array<iovec, 2 * kMost> pieces_{};
    std::array<std::byte, kMost * kCopiedUpTo> copied_{};  ///< small frames, one behind the other
    std::size_t message_count_ = 0;
    std::size_t control_count_ = 0;
    std::size_t piece_count_ = 0;
    std::size_t copied_bytes_ = 0;
};

/// The one of this thread, which came with the thread: nothing is left to be refused when packets are due.
[[nodiscard]] DatagramBatch& datagram_batch() noexcept;

}  // namespace groma
