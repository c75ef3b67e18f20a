// A clock that moves only on request: virtual time for tests and simulations.
#pragma once

#include "common/time/clock.hpp"

namespace groma {

class ManualClock final : public Clock {
public:
    explicit ManualClock(MonoTime now = MonoTime{Nanos{1'000'000'000}},
                         WallTime wall = wall_time_from_ns(1'700'000'000'000'000'000));

    [[nodiscard]] MonoTime now() noexcept override { return now_; }
    [[nodiscard]] WallTime wall_now() noexcept override { return wall_; }

    /// Jumps to `deadline` plus the set oversleep; time never goes back.
    void sleep_until(MonoTime deadline) noexcept override;

    /// Moves both time lines forward.
    void advance(Nanos span) noexcept;

    /// Sets the wall clock, as an administrator or NTP would; the monotonic line does not change.
    void step_wall(Nanos span) noexcept { wall_ += span; }

    /// Makes every later sleep end this much too late, as on a busy machine.
    void set_oversleep(Nanos span) noexcept { oversleep_ = span; }

private:
    MonoTime now_;
    WallTime wall_;
    Nanos oversleep_{0};
};

}  // namespace groma
