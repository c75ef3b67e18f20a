// Notices that a real-time worker hardly sleeps: it would keep everything else from its core, until the kernel stops
// it.
#pragma once

#include "common/time/instant.hpp"

namespace groma {

/// The kernel lets real-time threads run for 95 % of each second (sched_rt_runtime_us) and takes the core from them for
/// the rest of it: a stall of 50 ms. A worker that is busy for longer than this does better without. Packet path.
class RealtimeBudget {
public:
    static constexpr Nanos kWindow{100'000'000};
    /// Of each window, in the worker's own time: what is left is for the kernel's threads and other programs.
    static constexpr Nanos kMostBusy{90'000'000};

    /// `slept` is what the worker has slept in all, at the time `now`; both only grow.
    /// Returns: whether a window ended in which the worker was busy for more than kMostBusy out of each kWindow.
    [[nodiscard]] bool exceeded(MonoTime now, Nanos slept) noexcept;

private:
    MonoTime began_ = MonoTime::min();  ///< of this window; min(): there was none yet
    Nanos slept_before_{0};
};

}  // namespace groma
