#include "common/metrics/time_histogram.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "common/time/instant.hpp"

namespace groma {

namespace {

constexpr std::array<std::int64_t, TimeHistogram::kBounds> bounds() {
    std::array<std::int64_t, TimeHistogram::kBounds> made{};
    std::int64_t decade = 1000;
    for (std::size_t i = 0; i < made.size(); i += 3, decade *= 10) {
        for (std::size_t k = 0; k < 3 and i + k < made.size(); ++k) {
            made[i + k] = decade * std::array{1, 2, 5}[k];
        }
    }
    return made;
}

}  // namespace

constexpr std::array<std::int64_t, TimeHistogram::kBounds> TimeHistogram::kBoundsNs = bounds();

void TimeHistogram::add(const LogHistogram& values, std::int64_t base) {
    for (const LogHistogram::Bin& bin : values.bins()) {
        const std::int64_t value = std::midpoint(bin.low, bin.high) + base;
        if (value < 0) {
            below_zero_ += bin.count;
            continue;
        }
        const auto bucket = std::ranges::lower_bound(kBoundsNs, value) - kBoundsNs.begin();
        buckets_[static_cast<std::size_t>(bucket)] += bin.count;
        sum_seconds_ += to_seconds(Nanos(value)) * static_cast<double>(bin.count);
    }
}

void TimeHistogram::add(const TimeHistogram& other) {
    std::ranges::transform(buckets_, other.buckets_, buckets_.begin(), std::plus());
    sum_seconds_ += other.sum_seconds_;
    below_zero_ += other.below_zero_;
}

std::uint64_t TimeHistogram::count() const {
    return std::accumulate(buckets_.begin(), buckets_.end(), std::uint64_t{0});
}

}  // namespace groma
