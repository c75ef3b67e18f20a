// The only source of time for all code: the system's clock in production (common/os/system_clock.hpp), one that a test
// moves by hand in virtual time (common/time/manual_clock.hpp).
#pragma once

#include "common/time/instant.hpp"

namespace groma {

class Clock {
public:
    Clock() = default;
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;
    virtual ~Clock() = default;

    [[nodiscard]] virtual MonoTime now() noexcept = 0;
    [[nodiscard]] virtual WallTime wall_now() noexcept = 0;

    /// Returns at `deadline` or a little later; may return early when a signal arrives. Sleeps, does not spin.
    virtual void sleep_until(MonoTime deadline) noexcept = 0;
};

}  // namespace groma
