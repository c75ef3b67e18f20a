// Makes a distribution for flows from a sample of any shape.
#pragma once

#include <optional>

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

/// Up to this number of different values, all are kept.
inline constexpr std::size_t kMostExact = 2000;

/// Each value with its share (`discrete`), if there are at most kMostExact different ones. Otherwise a mixture of 64
/// uniform pieces, which makes the inverse distribution function a polygon: 40 pieces of equal probability, the first
/// and last of which are halved 12 times towards the ends. A piece begins at its smallest value and has the mean of its
/// values, so the distribution has the sample's mean; a piece of equal values is a constant. The distance from the
/// sample is at most one piece of probability, 1/40.
/// `mean`: the mean that it should have, if another one, because the sample is not all that was seen. What is far off
/// are the rarest values, so the upper end is stretched (or shortened): the distances of its values from where it
/// begins are multiplied by one factor. It begins as far up as a factor of at most 2, at least 1/2, allows.
/// Requires: a sample of at least one value above 0.
[[nodiscard]] Distribution empirical_distribution(const Sample& sample, std::optional<double> mean = {});

}  // namespace groma
