// A histogram of times with the same few buckets in every program, so that those of many hosts add up: 1, 2 and 5 of
// each power of ten from 1 us to 10 s.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

class TimeHistogram {
public:
    static constexpr std::size_t kBounds = 22;
    /// The largest value of each bucket, in nanoseconds; one more bucket has what is longer.
    static const std::array<std::int64_t, kBounds> kBoundsNs;

    /// Adds values in nanoseconds, each of which is a value of the histogram plus `base`. They count as the middles of
    /// their bins: near a bound, one may count on the other side of it. Negative ones are below_zero() and nothing
    /// else.
    void add(const LogHistogram& values, std::int64_t base = 0);
    void add(const TimeHistogram& other);

    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] double sum_seconds() const { return sum_seconds_; }
    /// Those of each bucket alone; the last has what is beyond all bounds.
    [[nodiscard]] const std::array<std::uint64_t, kBounds + 1>& buckets() const { return buckets_; }
    [[nodiscard]] std::uint64_t below_zero() const { return below_zero_; }

private:
    std::array<std::uint64_t, kBounds + 1> buckets_{};
    double sum_seconds_ = 0;
    std::uint64_t below_zero_ = 0;
};

}  // namespace groma
