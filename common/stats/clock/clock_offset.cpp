#include "common/stats/clock/clock_offset.hpp"

#include "common/time/difference.hpp"

namespace groma {

void MinimumDelayFilter::add(WallTime t1, WallTime t2, WallTime t3, WallTime t4) noexcept {
    const Nanos delay = held_to_longest(difference(t4, t1) - difference(t3, t2));
    if (delay < Nanos{0} or t3 < t2) {
        ++left_out_;
        return;
    }
    ++used_;
    const Nanos bound = (delay + Nanos{1}) / 2;
    if (not best_ or bound < best_->bound) {
        // Halved one by one: their sum would not fit for clocks that are decades apart.
        const Nanos there = difference(t2, t1);
        const Nanos back = difference(t3, t4);
        best_ = ClockOffset{back + (there - back) / 2, bound};
    }
}

}  // namespace groma
