// The distribution of the values of several histograms, each moved by some amount: delays of flows that were collected
// around bases of their own.
#pragma once

#include <cstdint>

#include "common/stats/histograms/log_histogram.hpp"
#include "decoder/results/spread.hpp"

namespace groma {

/// Count, minimum, maximum, mean and deviation are those of all values (the pairwise update of Chan, Golub and LeVeque
/// 1979). A percentile is off by at most 1/128 of the moved value and as much as the histogram of its own was.
class SpreadSum {
public:
    void add(const LogHistogram& values, std::int64_t moved_by);
    /// Less `shift`.
    [[nodiscard]] Spread result(Nanos shift = Nanos{0}) const;

private:
    LogHistogram bins_;
    std::int64_t min_ = 0;
    std::int64_t max_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

}  // namespace groma
