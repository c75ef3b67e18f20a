// The pause before the next attempt: doubles each time, with a random part so that shippers that lost one server do not
// return together. Pure.
#pragma once

#include <algorithm>

#include "common/time/instant.hpp"

namespace groma {

class BackOff {
public:
    BackOff(Nanos first, Nanos longest) : first_(first), longest_(longest), step_(first) {}

    /// `random` is from 0 to 1. Returns: between half of the step and all of it.
    [[nodiscard]] Nanos next(double random) {
        const Nanos pause(static_cast<Nanos::rep>(static_cast<double>(step_.count()) * (0.5 + 0.5 * random)));
        step_ = std::min(2 * step_, longest_);
        return pause;
    }

    /// After a success: the next pause is short again.
    void reset() { step_ = first_; }

private:
    Nanos first_;
    Nanos longest_;
    Nanos step_;
};

}  // namespace groma
