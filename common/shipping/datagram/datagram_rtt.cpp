#include "common/shipping/datagram/datagram_rtt.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr Nanos kGranularity = std::chrono::milliseconds(1);

}  // namespace

void RttEstimator::on_sample(Nanos rtt, Nanos held_back) {
    rtt = std::max(rtt, Nanos{1});
    if (not latest_) {
        latest_ = lowest_ = smoothed_ = rtt;
        variation_ = rtt / 2;
        return;
    }
    latest_ = rtt;
    lowest_ = std::min(lowest_, rtt);
    const Nanos wait = std::clamp(held_back, Nanos{0}, kLongestAckDelay);
    if (rtt >= lowest_ + wait) {
        rtt -= wait;
    }
    const Nanos difference = smoothed_ > rtt ? smoothed_ - rtt : rtt - smoothed_;
    variation_ = (3 * variation_ + difference) / 4;
    smoothed_ = (7 * smoothed_ + rtt) / 8;
}

Nanos RttEstimator::timeout() const {
    return smoothed_ + std::max(4 * variation_, kGranularity) + kLongestAckDelay;
}

Nanos RttEstimator::loss_delay() const {
    return std::max(9 * std::max(smoothed_, latest_.value_or(smoothed_)) / 8, kGranularity);
}

}  // namespace groma
