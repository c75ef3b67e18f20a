// How far a sample is from a distribution, by the figures of docs/reference/metrics.md, for any family, also if its
// parameters were fitted to the sample.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/sample.hpp"
#include "common/stats/fidelity/distribution_fit.hpp"

namespace groma {

/// How values became multiples of the resolution.
enum class Rounding : std::uint8_t {
    once,   ///< each was rounded to the nearest multiple: sizes
    twice,  ///< each is between two rounded instants: gaps
};

/// P(value < edge), and the probability above; edge is a multiple of the resolution above 0. Draws below 0 are raised
/// to 0 (docs/reference/models.md), so they are below every edge.
struct EdgeProbability {
    double below = 0;
    double above = 1;
};
[[nodiscard]] EdgeProbability probability_at(const Distribution& distribution, double edge, double resolution,
                                             Rounding rounding);

/// Cells of about equal probability under the distribution: 1024, and finer ones at both ends, with edges at multiples
/// of the resolution. Requires: the sample is not empty.
[[nodiscard]] std::vector<ComparedCell> sample_cells(const Sample& sample, const Distribution& distribution,
                                                     Rounding rounding);

/// `fitted`: number of parameters taken from the sample; lambda2 has bins - 1 - fitted degrees of freedom [Pederson and
/// Johnson 1990]. KS and A2 are plain distances; with fitted parameters they are smaller than in their usual tables
/// [Lilliefors 1967]. Returns: empty below kFewestGaps values, or without a degree of freedom.
[[nodiscard]] std::optional<DistributionFit> compared(const Sample& sample, const Distribution& distribution,
                                                      Rounding rounding, unsigned fitted);

}  // namespace groma
