// The instant of a send call on both clocks. On the packet path.
#pragma once

#include "common/time/clock.hpp"

namespace groma {

/// When packets of one call left, on both clocks.
struct SendStamps {
    WallTime wall{};
    MonoTime mono{};
};

/// One after the other: they are read next to the call that sends.
[[nodiscard]] inline SendStamps read_clocks(Clock& clock) noexcept {
    const MonoTime mono = clock.now();
    return {.wall = clock.wall_now(), .mono = mono};
}

/// The tightest of a few readings: what a packet is told of its departure lies ahead, and an error of the wall clock
/// against the monotonic one, as when the thread loses its core between the two, would be in it.
[[nodiscard]] inline SendStamps read_clocks_closely(Clock& clock) noexcept {
    constexpr int kTries = 3;
    SendStamps best;
    Nanos tightest = Nanos::max();
    for (int i = 0; i < kTries; ++i) {
        const MonoTime before = clock.now();
        const WallTime wall = clock.wall_now();
        const MonoTime after = clock.now();
        if (after - before < tightest) {
            tightest = after - before;
            best = {.wall = wall, .mono = before + tightest / 2};
        }
    }
    return best;
}

/// What the wall clock will show at `at`, an instant that is near.
[[nodiscard]] inline WallTime wall_time_at(Clock& clock, MonoTime at) noexcept {
    const SendStamps now = read_clocks_closely(clock);
    return now.wall + (at - now.mono);
}

}  // namespace groma
