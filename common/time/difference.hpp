// Differences of instants from elsewhere: they saturate instead of overflowing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/time/instant.hpp"

namespace groma {

/// Spans from logs are limited to this much either way (73 years), so that a few of them can be added without overflow.
inline constexpr Nanos kLongestSpan{std::int64_t{1} << 61};

[[nodiscard]] constexpr Nanos held_to_longest(Nanos span) {
    return std::clamp(span, -kLongestSpan, kLongestSpan);
}

/// A span that may have been limited: how long it was is unknown.
[[nodiscard]] constexpr bool is_limited(Nanos span) {
    return span >= kLongestSpan or span <= -kLongestSpan;
}

/// `later - earlier`, limited to kLongestSpan. For any two instants.
[[nodiscard]] constexpr Nanos difference(WallTime later, WallTime earlier) {
    std::int64_t span = 0;
    if (__builtin_sub_overflow(ns_since_epoch(later), ns_since_epoch(earlier), &span)) {
        return later > earlier ? kLongestSpan : -kLongestSpan;
    }
    return held_to_longest(Nanos{span});
}

/// `difference(later, earlier) - offset`, limited likewise. Requires: offset within kLongestSpan.
[[nodiscard]] constexpr Nanos difference(WallTime later, WallTime earlier, Nanos offset) {
    return held_to_longest(difference(later, earlier) - offset);
}

/// `time + span`; `time` itself if that overflows.
[[nodiscard]] constexpr WallTime moved(WallTime time, Nanos span) {
    std::int64_t ns = 0;
    return __builtin_add_overflow(ns_since_epoch(time), span.count(), &ns) ? time : wall_time_from_ns(ns);
}

}  // namespace groma
