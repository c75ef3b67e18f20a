// The inverse of a distribution function, and points of the function.
#pragma once

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// A point of a distribution function.
struct CdfPoint {
    double value = 0;
    double share = 0;
    bool operator==(const CdfPoint&) const = default;
};

/// Returns: the smallest x with P(X <= x) >= probability, in the distribution's unit, limited to the range of a double.
/// A mixture's is found by bisection, to about 1e-12 of the value. Requires: 0 < probability < 1.
[[nodiscard]] double quantile(const Distribution& distribution, double probability);

/// The same for the probability above x: as exact for 1e-30 as for 1/2.
[[nodiscard]] double upper_quantile(const Distribution& distribution, double probability);

}  // namespace groma
