// The packets of a flow sent so far, and the time of the first. Validates replies, whose numbers and times are
// untrusted.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

#include "common/time/instant.hpp"

namespace groma {

/// Thread: reach() from one, the others concurrently from any.
class SentRange {
public:
    /// Records that packets up to number `last` leave at `at`. Packet path.
    void reach(std::uint64_t last, WallTime at) noexcept {
        if (ns_since_epoch(at) < first_ns_.load(std::memory_order_relaxed)) {
            first_ns_.store(ns_since_epoch(at), std::memory_order_relaxed);
        }
        count_.store(last + 1, std::memory_order_release);
    }

    /// The full number of the last packet sent whose low 32 bits are `seq`; empty if there is none.
    [[nodiscard]] std::optional<std::uint64_t> find(std::uint32_t seq) const noexcept {
        const std::uint64_t count = count_.load(std::memory_order_acquire);
        if (count == 0) {
            return std::nullopt;
        }
        const std::uint64_t last = count - 1;
        const std::uint32_t back = static_cast<std::uint32_t>(last) - seq;
        return back > last ? std::nullopt : std::optional(last - back);
    }

    /// The send time of the first packet; moves if the clock is set back.
    [[nodiscard]] WallTime first() const noexcept {
        return wall_time_from_ns(first_ns_.load(std::memory_order_relaxed));
    }

private:
    std::atomic<std::uint64_t> count_{0};
    std::atomic<std::int64_t> first_ns_{std::numeric_limits<std::int64_t>::max()};
};

}  // namespace groma
