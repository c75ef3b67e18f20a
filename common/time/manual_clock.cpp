#include "common/time/manual_clock.hpp"

namespace groma {

ManualClock::ManualClock(MonoTime now, WallTime wall) : now_(now), wall_(wall) {}

void ManualClock::sleep_until(MonoTime deadline) noexcept {
    if (deadline + oversleep_ > now_) {
        advance(deadline + oversleep_ - now_);
    }
}

void ManualClock::advance(Nanos span) noexcept {
    now_ += span;
    wall_ += span;
}

}  // namespace groma
