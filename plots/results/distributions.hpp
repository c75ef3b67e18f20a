// Arithmetic of distributions for drawing: distribution functions of histograms, and mixtures over flows.
#pragma once

#include <vector>

#include "plots/results/stored_results.hpp"

namespace groma {

/// The bins of all histograms; those over the same values are added.
[[nodiscard]] std::vector<HistogramBin> merged(const std::vector<const std::vector<HistogramBin>*>& histograms);

[[nodiscard]] double total_count(const std::vector<HistogramBin>& bins);

/// The distribution function through the edges of the bins: within a bin, values count as evenly spread. Begins at
/// share 0 and ends at 1. Requires: bins with values.
[[nodiscard]] std::vector<CdfPoint> cdf_of(const std::vector<HistogramBin>& bins);

/// One part of a mixture.
struct MixturePart {
    const std::vector<CdfPoint>* cdf;  ///< rising, not empty
    double weight;
};

/// The distribution function of a value drawn from one of the parts, chosen by weight. Steps stay steps. At about
/// `points` values. Requires: weights above zero in sum.
[[nodiscard]] std::vector<CdfPoint> mixture(const std::vector<MixturePart>& parts, std::size_t points = 400);

/// The asked distribution of gaps of those flows that sent, mixed in proportion to their packets; empty unless it is
/// known for all of them.
[[nodiscard]] std::vector<CdfPoint> asked_mixture(const std::vector<const FlowResults*>& flows);

/// The share of values that are below `value`; a step counts when `value` is on it. Requires: points.
[[nodiscard]] double share_at(const std::vector<CdfPoint>& cdf, double value);

/// Makes a distribution that begins with a step begin at 0, so that the step is visible.
[[nodiscard]] std::vector<CdfPoint> from_zero(std::vector<CdfPoint> cdf);

/// The value that `share` of the values do not exceed, by the distribution function.
[[nodiscard]] double value_at(const std::vector<CdfPoint>& cdf, double share);

}  // namespace groma
