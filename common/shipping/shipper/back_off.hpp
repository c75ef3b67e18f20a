// How long to wait before the next attempt: twice as long each time, with a random part so that many who lost one
// server do not come back in step. Pure.
#pragma once

#include <algorithm>

#include "common/time/instant.hpp"

namespace groma {

class BackOff {
public:
    BackOff(Nanos first, Nanos longest) : first_(first), longest_(longest), step_(first) {}

    /// `random` is from 0 to 1. Returns: half of the step to all of it.
    [[nodiscard]] Nanos next(double random) {
        const Nanos pause(static_cast<Nanos::rep>(static_cast<double>(step_.count()) * (0.5 + 0.5 * random)));
        step_ = std::min(2 * step_, longest_);
        return pause;
    }

    /// It went well: the next pause is a short one.
    void reset() { step_ = first_; }

private:
    Nanos first_;
    Nanos longest_;
    Nanos step_;
};

}  // namespace groma
