#include "decoder/analysis/bottleneck_rate.hpp"

#include <algorithm>

#include "common/time/difference.hpp"

namespace groma {

namespace {

bool filled_the_path(const ConnectionSample& sample) {
    return sample.delivery_rate_bps and sample.application_limited.value_or(0) == 0 and
           sample.in_flight.value_or(1) > 0;
}

double mean_rate(const std::vector<ConnectionSample>& row) {
    double sum = 0;
    for (const ConnectionSample& sample : row) {
        sum += static_cast<double>(*sample.delivery_rate_bps);
    }
    return sum / static_cast<double>(row.size());
}

}  // namespace

std::optional<double> acknowledged_bps(const ConnectionSample& from, const ConnectionSample& until) {
    const double seconds = to_seconds(difference(until.at, from.at));
    if (not from.acknowledged_bytes or not until.acknowledged_bytes or seconds <= 0) {
        return std::nullopt;
    }
    const std::uint64_t before = std::min(*from.acknowledged_bytes, *until.acknowledged_bytes);
    return 8 * static_cast<double>(*until.acknowledged_bytes - before) / seconds;
}

void BottleneckRate::add(const ConnectionSample& sample) {
    if (not filled_the_path(sample)) {
        row_.clear();
        return;
    }
    if (row_.size() == kSamples) {
        row_.erase(row_.begin());
    }
    row_.push_back(sample);
    if (row_.size() == kSamples) {
        const double mean = mean_rate(row_);
        const double rate = std::min(mean, acknowledged_bps(row_.front(), row_.back()).value_or(mean));
        highest_bps_ = std::max(highest_bps_.value_or(0), rate);
    }
}

}  // namespace groma
