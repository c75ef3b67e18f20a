// Intervals that contain the true value with a confidence of 95 %.
#pragma once

#include <cstdint>
#include <optional>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// How many standard errors of a normal estimate that is, to either side.
inline constexpr double kTwoSided95 = 1.959963984540054;

struct ShareInterval {
    double low = 0;
    double high = 0;
};

/// Of a share that was seen in `independent` trials [Wilson 1927]. Requires: independent > 0.
[[nodiscard]] ShareInterval share_interval(double share, double independent);

struct PercentileInterval {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// Of a percentile (0..1): the values whose ranks are the ends of share_interval() [Hahn and Meeker 1991, 5.2].
/// `independent`: as many independent values would tell as much as these. Empty if fewer than kLeastBeyond of those are
/// expected on either side.
[[nodiscard]] std::optional<PercentileInterval> percentile_interval(const LogHistogram& values, double fraction,
                                                                    double independent);
inline constexpr double kLeastBeyond = 5;

}  // namespace groma
