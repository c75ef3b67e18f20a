#include "sender/engine/realtime_budget.hpp"

namespace groma {

bool RealtimeBudget::exceeded(MonoTime now, Nanos slept) noexcept {
    if (began_ == MonoTime::min()) {
        began_ = now;
        slept_before_ = slept;
        return false;
    }
    const Nanos window = now - began_;
    if (window < kWindow) {
        return false;
    }
    const Nanos asleep = slept - slept_before_;
    began_ = now;
    slept_before_ = slept;
    return asleep < window / (kWindow / (kWindow - kMostBusy));
}

}  // namespace groma
