// Points of a distribution function, and its inverse: where a process that follows a distribution is with a given
// probability.
#pragma once

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// A point of a distribution function.
struct CdfPoint {
    double value = 0;
    double share = 0;
    bool operator==(const CdfPoint&) const = default;
};

/// Returns: the smallest x with P(X <= x) >= probability, in the distribution's unit, held to what a double can
/// express; of a mixture by bisection, to about 1e-12 of the value. Requires: 0 < probability < 1.
[[nodiscard]] double quantile(const Distribution& distribution, double probability);

/// The same for a probability of what lies above: as exact for 1e-30 as for 1/2.
[[nodiscard]] double upper_quantile(const Distribution& distribution, double probability);

}  // namespace groma
