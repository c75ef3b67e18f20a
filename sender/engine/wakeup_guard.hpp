// How long before a deadline a worker must end its sleep to be awake in time on this host: learnt from its own sleeps.
#pragma once

#include "common/time/instant.hpp"

namespace groma {

/// Follows the 99.8th percentile of the oversleep (the time by which sleeps end too late) by stochastic approximation
/// [Robbins and Monro 1951]: an oversleep beyond the guard raises it by a tenth, one within it lowers it by 1/5000 of
/// itself; the two balance when one sleep of 500 ends beyond the guard. The first hundred sleeps raise it by half, but
/// no further than need be. A packet that is late spoils two gaps, so that the 99th percentile of the gaps' error still
/// has room. The guard rises from 20 us to 2 ms within 50 bad sleeps, forgets them in some ten thousand good ones, and
/// one sleep of a second does no harm. Packet path. Thread: one.
class WakeupGuard {
public:
    static constexpr Nanos kSmallest{20'000};
    static constexpr Nanos kLargest{2'000'000};  ///< beyond it, spinning would cost more than the lateness is worth
    static constexpr Nanos kFirst{60'000};       ///< before anything is known

    /// `oversleep`: when the sleep ended minus when it was to end; negative (woken early) counts as 0.
    void add(Nanos oversleep) noexcept;

    [[nodiscard]] Nanos value() const noexcept;

private:
    int sleeps_ = 0;  ///< so far, up to those from which the guard learns faster
    double guard_ns_ = static_cast<double>(kFirst.count());
};

}  // namespace groma
