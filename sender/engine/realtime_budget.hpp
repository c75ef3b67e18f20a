// Detects a real-time worker that hardly sleeps: it would block its core for all others until the kernel throttles it.
#pragma once

#include "common/time/instant.hpp"

namespace groma {

/// The kernel lets real-time threads run for 95 % of each second (sched_rt_runtime_us) and stalls them for the other 50
/// ms. A worker that exceeds the budget does better without real-time priority. Packet path.
class RealtimeBudget {
public:
    static constexpr Nanos kWindow{100'000'000};
    /// Busy time allowed in each window; the rest is for the kernel's threads and other programs.
    static constexpr Nanos kMostBusy{90'000'000};

    /// `slept`: the worker's total sleep at time `now`; both are monotonic.
    /// Returns: whether a window ended in which the worker was busy for more than kMostBusy out of each kWindow.
    [[nodiscard]] bool exceeded(MonoTime now, Nanos slept) noexcept;

private:
    MonoTime began_ = MonoTime::min();  ///< start of this window; min(): none yet
    Nanos slept_before_{0};
};

}  // namespace groma
