// The logarithm of a distribution's density: what likelihoods are made of.
#pragma once

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// ln of the density at x, per unit of the distribution; -infinity where it is 0. Of `poisson` ln of the probability of
/// x over its unit, x being one of its values. Of `const`, `discrete`, `file` and `mix`, which have no one density: not
/// a number.
[[nodiscard]] double log_density(const Distribution& distribution, double x);

}  // namespace groma
