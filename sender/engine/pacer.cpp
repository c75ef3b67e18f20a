#include "sender/engine/pacer.hpp"

#include <algorithm>

namespace groma {

Pacer::Advice Pacer::advise(MonoTime now, MonoTime deadline) const noexcept {
    if (now >= deadline) {
        return {Action::send, deadline};
    }
    const MonoTime until = std::min(deadline - guard_.value(), now + kLongestSleep);
    return {until - now < kShortestSleep ? Action::spin : Action::sleep, until};
}

}  // namespace groma
