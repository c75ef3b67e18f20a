#include "sender/engine/wakeup_guard.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr double kRaise = 1.1;
/// For the first sleeps, before the host is known.
constexpr double kFirstRaise = 1.5;
constexpr int kFirstSleeps = 100;
constexpr double kLower = 1 - 1.0 / 5000;

}  // namespace

void WakeupGuard::add(Nanos oversleep) noexcept {
    const auto oversleep_ns = static_cast<double>(oversleep.count());
    if (oversleep_ns <= guard_ns_) {
        guard_ns_ *= kLower;
    } else {
        guard_ns_ =
            sleeps_ < kFirstSleeps ? std::min(guard_ns_ * kFirstRaise, oversleep_ns * kRaise) : guard_ns_ * kRaise;
    }
    sleeps_ = std::min(sleeps_ + 1, kFirstSleeps);
    guard_ns_ = std::clamp(guard_ns_, static_cast<double>(kSmallest.count()), static_cast<double>(kLargest.count()));
}

Nanos WakeupGuard::value() const noexcept {
    return Nanos{static_cast<Nanos::rep>(guard_ns_)};
}

}  // namespace groma
