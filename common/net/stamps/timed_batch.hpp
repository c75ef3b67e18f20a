// Frames as datagrams that the kernel lets go each at a time of its own (SCM_TXTIME), handed over in one sendmmsg(2).
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/net/channel/message_batch.hpp"

namespace groma {

/// Room for one batch at a time; it holds nothing between two calls, so that all flows of a thread can share one.
class TimedBatch {
public:
    TimedBatch() noexcept;

    /// `times`: of the frames, in nanoseconds of the clock that the socket was told.
    /// Returns: how many of the frames, from the first, the kernel took; 0 with errno set. At most MessageBatch::kMost
    /// of them are offered. Requires: as many times as frames. Packet path.
    [[nodiscard]] std::size_t send(int fd, std::span<const Frame> frames,
                                   std::span<const std::uint64_t> times) noexcept;

private:
    struct Control {
        alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(std::uint64_t))> bytes{};
    };

    MessageBatch messages_;
    std::array<Control, MessageBatch::kMost> controls_{};
};

/// The one of this thread.
[[nodiscard]] TimedBatch& timed_batch() noexcept;

}  // namespace groma
