#include "sender/links/kept_probes.hpp"

#include "common/base/errors.hpp"
#include "common/time/difference.hpp"

namespace groma {

namespace {

Nanos delay(const ProbeTimes& probe) {
    return held_to_longest(difference(probe.returned, probe.sent) - difference(probe.answered, probe.received));
}

const ProbeTimes& faster(const ProbeTimes& a, const ProbeTimes& b) {
    return delay(b) < delay(a) ? b : a;
}

}  // namespace

KeptProbes::KeptProbes(std::size_t most) : most_(most) {
    check(most >= 2, "halving leaves something");
}

void KeptProbes::add(const ProbeTimes& probe) {
    best_ = best_ ? faster(*best_, probe) : probe;
    if (++seen_ < window_) {
        return;
    }
    kept_.push_back(*best_);
    best_.reset();
    seen_ = 0;
    if (kept_.size() >= most_) {
        const std::size_t pairs = kept_.size() / 2;
        for (std::size_t i = 0; i < pairs; ++i) {
            kept_[i] = faster(kept_[2 * i], kept_[2 * i + 1]);
        }
        kept_.resize(pairs);
        window_ *= 2;
    }
}

std::vector<ProbeTimes> KeptProbes::take() const {
    std::vector<ProbeTimes> all = kept_;
    if (best_) {
        all.push_back(*best_);
    }
    return all;
}

}  // namespace groma
