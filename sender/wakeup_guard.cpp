#include "sender/wakeup_guard.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr double kRaise = 1.1;
constexpr double kLower = 1 - 1.0 / 5000;

}  // namespace

void WakeupGuard::add(Nanos oversleep) noexcept {
    guard_ns_ *= static_cast<double>(oversleep.count()) > guard_ns_ ? kRaise : kLower;
    guard_ns_ = std::clamp(guard_ns_, static_cast<double>(kSmallest.count()), static_cast<double>(kLargest.count()));
}

Nanos WakeupGuard::value() const noexcept {
    return Nanos{static_cast<Nanos::rep>(guard_ns_)};
}

}  // namespace groma
