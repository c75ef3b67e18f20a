// Two kinds of instants that cannot be mixed: MonoTime for deadlines, WallTime for records. Subtracting one from the
// other does not compile.
#pragma once

#include <chrono>
#include <cstdint>

namespace groma {

/// A span of time.
using Nanos = std::chrono::nanoseconds;

/// Names the time line of CLOCK_MONOTONIC. Has no now(): code that needs the time takes a Clock.
struct MonotonicLine {
    using rep = std::int64_t;
    using period = std::nano;
    using duration = Nanos;
    static constexpr bool is_steady = true;
};

/// Names the time line of CLOCK_REALTIME: nanoseconds since 1970-01-01T00:00:00Z.
struct WallLine {
    using rep = std::int64_t;
    using period = std::nano;
    using duration = Nanos;
    static constexpr bool is_steady = false;
};

using MonoTime = std::chrono::time_point<MonotonicLine, Nanos>;
using WallTime = std::chrono::time_point<WallLine, Nanos>;

[[nodiscard]] constexpr WallTime wall_time_from_ns(std::int64_t ns_since_epoch) {
    return WallTime{Nanos{ns_since_epoch}};
}

[[nodiscard]] constexpr std::int64_t ns_since_epoch(WallTime time) {
    return time.time_since_epoch().count();
}

[[nodiscard]] constexpr double to_seconds(Nanos span) {
    return static_cast<double>(span.count()) / 1e9;
}

}  // namespace groma
