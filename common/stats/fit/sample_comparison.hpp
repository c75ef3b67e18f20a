// How far a sample is from a distribution, by the figures of docs/reference/metrics.md, whatever the family, and also
// when its parameters were fitted to the sample.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/sample.hpp"
#include "common/stats/fidelity/distribution_fit.hpp"

namespace groma {

/// How values came to be multiples of the resolution.
enum class Rounding : std::uint8_t {
    once,   ///< each was rounded to the nearest: sizes
    twice,  ///< each is between two instants that were both rounded: gaps
};

/// P(value < edge), and what it leaves above, edge being a multiple of the resolution above 0. What is drawn below 0 is
/// raised to 0 (docs/reference/models.md), and so is below every edge.
struct EdgeProbability {
    double below = 0;
    double above = 1;
};
[[nodiscard]] EdgeProbability probability_at(const Distribution& distribution, double edge, double resolution,
                                             Rounding rounding);

/// Cells of about equal probability under the distribution, 1024 and finer ones at both ends, with edges at multiples
/// of the resolution. Requires: the sample is not empty.
[[nodiscard]] std::vector<ComparedCell> sample_cells(const Sample& sample, const Distribution& distribution,
                                                     Rounding rounding);

/// `fitted` parameters were taken from the sample: the degrees of freedom of lambda2 are bins - 1 - fitted [Pederson
/// and Johnson 1990]. KS and A2 are distances as they are; against fitted parameters they come out smaller than their
/// usual tables say [Lilliefors 1967]. Returns: nothing below kFewestGaps values, or where no degree of freedom is
/// left.
[[nodiscard]] std::optional<DistributionFit> compared(const Sample& sample, const Distribution& distribution,
                                                      Rounding rounding, unsigned fitted);

}  // namespace groma
