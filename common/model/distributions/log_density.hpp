// The logarithm of a distribution's density, for likelihoods.
#pragma once

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// ln of the density at x, per unit of the distribution; -infinity where it is 0. For `poisson`, ln of the probability
/// of x over its unit; x must be one of its values. Not a number for `const`, `discrete`, `file` and `mix`, which have
/// no density.
[[nodiscard]] double log_density(const Distribution& distribution, double x);

}  // namespace groma
