// Learns from a worker's sleeps how long before a deadline it must wake to be on time on this host.
#pragma once

#include "common/time/instant.hpp"

namespace groma {

/// Follows the 99.8th percentile of the oversleep (the time by which sleeps end too late) by stochastic approximation
/// [Robbins and Monro 1951]: an oversleep beyond the guard raises it by a tenth, one within it lowers it by 1/5000 of
/// itself; the two balance when one sleep of 500 ends beyond the guard. The first hundred sleeps raise it by half, but
/// at most to 1.1 times the oversleep. A late packet spoils two gaps, so that the 99th percentile of the gaps' error
/// still has room. The guard rises from 20 us to 2 ms within 50 bad sleeps, forgets them in some ten thousand good
/// ones, and one sleep of a second does no harm. Packet path. Thread: one.
class WakeupGuard {
public:
    static constexpr Nanos kSmallest{20'000};
    static constexpr Nanos kLargest{2'000'000};  ///< above this, spinning costs more than the lateness
    static constexpr Nanos kFirst{60'000};       ///< before anything is known

    /// `oversleep`: actual minus planned end of the sleep; negative (woken early) counts as 0.
    void add(Nanos oversleep) noexcept;

    [[nodiscard]] Nanos value() const noexcept;

private:
    int sleeps_ = 0;  ///< counted up to the end of the fast learning phase
    double guard_ns_ = static_cast<double>(kFirst.count());
};

}  // namespace groma
