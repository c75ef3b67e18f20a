// The time from the first to the last of some events, and their rate over it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/time/difference.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// From a common start. Empty, as at first: `last` before `first`.
struct TimeSpan {
    Nanos first{0};
    Nanos last{-1};

    [[nodiscard]] bool operator==(const TimeSpan&) const = default;
    [[nodiscard]] constexpr bool empty() const { return last < first; }
    constexpr void include(const TimeSpan& other) {
        if (empty()) {
            *this = other;
        } else if (not other.empty()) {
            first = std::min(first, other.first);
            last = std::max(last, other.last);
        }
    }
    /// 0 if it is empty. Requires: both within kLongestSpan.
    [[nodiscard]] constexpr Nanos duration() const { return empty() ? Nanos{0} : held_to_longest(last - first); }

    /// Events per second: n of them have n - 1 gaps. Empty below two events, and if all are at one instant.
    [[nodiscard]] constexpr std::optional<double> rate(std::uint64_t events) const {
        if (events < 2 or duration() <= Nanos{0}) {
            return std::nullopt;
        }
        return static_cast<double>(events - 1) / to_seconds(duration());
    }
};

/// Bits per second of packets at that rate: of the mean size of all of them.
[[nodiscard]] constexpr std::optional<double> bit_rate(std::optional<double> packet_rate, std::uint64_t packets,
                                                       std::uint64_t bytes) {
    return packet_rate and packets > 0
               ? std::optional(*packet_rate * 8 * static_cast<double>(bytes) / static_cast<double>(packets))
               : std::nullopt;
}

}  // namespace groma
