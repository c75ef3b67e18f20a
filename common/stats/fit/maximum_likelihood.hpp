// The parameters of a family under which what was observed is most likely. Closed forms where there are; the equations
// of the others are solved to about 1e-9 of the parameter. All functions are pure; a family that has no such parameters
// within what models take (docs/reference/models.md) gives nothing: all values equal, a location below 0, ...
#pragma once

#include <optional>

#include "common/model/distributions/distribution.hpp"
#include "common/stats/fit/sample.hpp"

namespace groma {

// Requires (all): a sample of at least one value. Families of values above 0 take half the resolution for 0.

/// The mean.
[[nodiscard]] std::optional<Distribution> likeliest_exponential(const Sample& sample);
/// Mean and standard deviation (n).
[[nodiscard]] std::optional<Distribution> likeliest_normal(const Sample& sample);
/// The smallest and the largest value, and half the resolution beyond each: 100 to 319 bytes is 99.5 to 319.5.
[[nodiscard]] std::optional<Distribution> likeliest_uniform(const Sample& sample);
/// Scale: the smallest value; shape: n / sum of ln(value / smallest) [Hill 1975, of all values].
[[nodiscard]] std::optional<Distribution> likeliest_pareto(const Sample& sample);
/// Median and sigma: mean and standard deviation (n) of the logarithms.
[[nodiscard]] std::optional<Distribution> likeliest_lognormal(const Sample& sample);
/// ln k - digamma(k) = ln(mean) - mean of logarithms, by Newton's method [Choi and Wette 1969].
[[nodiscard]] std::optional<Distribution> likeliest_gamma(const Sample& sample);
/// The shape's equation has one root [Cohen 1965], found by bracketing (TOMS 748).
[[nodiscard]] std::optional<Distribution> likeliest_weibull(const Sample& sample);
/// Location and scale by expectation and maximisation for one degree of freedom [Kent, Tyler and Vardi 1994].
[[nodiscard]] std::optional<Distribution> likeliest_cauchy(const Sample& sample);
/// The same for given degrees of freedom, which are those of the largest likelihood between 0.2 and 200 (Brent's
/// method).
[[nodiscard]] std::optional<Distribution> likeliest_student(const Sample& sample);
/// The mean, in units of the sample's resolution. Only of what comes in whole units: sizes, or a clock of milliseconds.
[[nodiscard]] std::optional<Distribution> likeliest_poisson(const Sample& sample);
/// Each value with its share. Nothing beyond `most` different values.
[[nodiscard]] std::optional<Distribution> likeliest_discrete(const Sample& sample, std::size_t most);

/// ln of the probability of the sample, each value standing for all that is rounded to it: comparable between families
/// with a density and those without. Finite.
[[nodiscard]] double log_likelihood(const Sample& sample, const Distribution& distribution);

}  // namespace groma
