// Confidence intervals by resampling, for values of unknown distribution [Efron, Tibshirani: An Introduction to the
// Bootstrap, 1993].
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "common/stats/fit/sample_statistics.hpp"

namespace groma {

enum class BootstrapMethod : std::uint8_t {
    percentile,  ///< the quantiles of the resampled statistic [ibid., ch. 13]
    bca,         ///< these, corrected for bias and skewness [ibid., ch. 14], the acceleration by the jackknife (0 where
                 ///< leaving a value out changes nothing, as of many medians)
};

struct BootstrapOptions {
    BootstrapMethod method = BootstrapMethod::bca;
    double confidence = 0.95;        ///< between 0 and 1
    std::uint32_t resamples = 9999;  ///< at least 1
    std::uint64_t seed = 1;          ///< the same seed and values give the same interval
};

using Statistic = std::function<double(std::span<const double> values)>;

/// The interval of `statistic` of the values. Empty for one value, and for BCa if all resamples are on one side of the
/// statistic. With fewer than about ten values such an interval is too narrow: they miss too much of the distribution.
[[nodiscard]] std::optional<Interval> bootstrap_interval(std::span<const double> values, const Statistic& statistic,
                                                         const BootstrapOptions& options);

}  // namespace groma
