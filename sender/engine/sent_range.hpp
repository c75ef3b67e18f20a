// Which packets of a flow have been sent so far, and since when: for replies, whose numbers and times are the
// receiver's word.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "common/time/instant.hpp"

namespace groma {

/// Thread: reach() from one, the others from any beside it.
class SentRange {
public:
    /// Packets up to number `last` are about to leave, at `at`. Packet path.
    void reach(std::uint64_t last, WallTime at) noexcept {
        if (ns_since_epoch(at) < first_ns_.load(std::memory_order_relaxed)) {
            first_ns_.store(ns_since_epoch(at), std::memory_order_relaxed);
        }
        count_.store(last + 1, std::memory_order_release);
    }

    /// The whole number of a packet that was sent, the last one that ends in these 32 bits; nothing when none did.
    [[nodiscard]] std::optional<std::uint64_t> find(std::uint32_t seq) const noexcept {
        const std::uint64_t count = count_.load(std::memory_order_acquire);
        if (count == 0) {
            return std::nullopt;
        }
        const std::uint64_t last = count - 1;
        const std::uint32_t back = static_cast<std::uint32_t>(last) - seq;
        return back > last ? std::nullopt : std::optional(last - back);
    }

    /// No packet left before it; a clock that is set back moves it.
    [[nodiscard]] WallTime first() const noexcept {
        return wall_time_from_ns(first_ns_.load(std::memory_order_relaxed));
    }

private:
    std::atomic<std::uint64_t> count_{0};
    std::atomic<std::int64_t> first_ns_{std::numeric_limits<std::int64_t>::max()};
};

}  // namespace groma
