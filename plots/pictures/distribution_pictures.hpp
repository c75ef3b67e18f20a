// Pictures of distributions: of delays, round-trip times, lateness, and of gaps as asked against as sent.
#pragma once

#include <optional>

#include "plots/gnuplot/picture.hpp"
#include "plots/pictures/distribution_curves.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// All are empty if no flow has such a histogram. The axis of values is logarithmic when they span more than a factor
/// of 50. With many flows, all their values are one distribution.

/// The distribution function, P(X <= x). Beyond kMostCurves flows, also the spread of those of the flows.
[[nodiscard]] std::optional<Picture> draw_cdf(const RunResults& run, const DistributionMeasure& measure);

/// The share above, P(X > x), on a logarithmic axis: the rare large values.
[[nodiscard]] std::optional<Picture> draw_ccdf(const RunResults& run, const DistributionMeasure& measure);

/// The share of values in bins of equal width (equal ratio on a logarithmic axis), not finer than the decoder's.
[[nodiscard]] std::optional<Picture> draw_density(const RunResults& run, const DistributionMeasure& measure);

/// Quantiles of what was sent against those of what was asked for; empty unless a continuous distribution was asked
/// for. Beyond kMostPairs flows, those of which the same was asked are one curve; of more than kMostDotted such curves
/// those with most gaps are drawn, and the title says so.
[[nodiscard]] std::optional<Picture> draw_qq(const RunResults& run, const DistributionMeasure& measure);

}  // namespace groma
