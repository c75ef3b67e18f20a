// A sample as a distribution that flows can be made of, whatever its shape.
#pragma once

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

/// Up to so many different values are kept as they are.
inline constexpr std::size_t kMostExact = 2000;

/// Each value with its share (`discrete`), if there are at most kMostExact different ones. Else a mixture of 64 uniform
/// pieces, the inverse distribution function as a polygon: 40 pieces of equal probability, the first and last of which
/// are halved 12 times towards the ends. A piece begins at its smallest value and has the mean of its values, and so
/// has the whole the sample's mean; a piece of equal values is a constant. Nothing is farther from the sample than one
/// piece of probability, 1/40. Requires: a sample of at least one value above 0.
[[nodiscard]] Distribution empirical_distribution(const Sample& sample);

}  // namespace groma
