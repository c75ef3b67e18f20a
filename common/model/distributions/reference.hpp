// Expected properties of a process that follows a distribution. From Boost.Math.
#pragma once

#include <optional>

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// The expectation in the distribution's unit; empty where it does not exist (Cauchy, Pareto with shape <= 1, Student t
/// with at most one degree). For the distribution as written, before the rules for negative gaps.
[[nodiscard]] std::optional<double> mean(const Distribution& distribution);

/// The mean of draws, of which those below 0 are raised to 0 (docs/reference/models.md): at least mean(). Empty where
/// it does not exist.
[[nodiscard]] std::optional<double> mean_from_0(const Distribution& distribution);

/// The standard deviation; empty where it does not exist.
[[nodiscard]] std::optional<double> deviation(const Distribution& distribution);

/// P(X <= x).
[[nodiscard]] double cdf(const Distribution& distribution, double x);

/// P(X > x), not computed from cdf(): as exact for 1e-30 as for 1/2.
[[nodiscard]] double survival(const Distribution& distribution, double x);

}  // namespace groma
