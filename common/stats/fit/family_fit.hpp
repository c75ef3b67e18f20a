// Finds the family of distributions for flows (docs/reference/models.md) that describes a sample best
// (docs/guide/fit.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/families/sample.hpp"
#include "common/stats/fit/sample_comparison.hpp"

namespace groma {

/// A family with its likeliest parameters, rounded to six significant digits; all figures are for these.
struct FamilyFit {
    Distribution distribution;
    unsigned parameters = 0;    ///< taken from the sample
    double log_likelihood = 0;  ///< ln of the probability of the sample, each value as rounded
    double bic = 0;             ///< parameters ln n - 2 log_likelihood [Schwarz 1978]
    /// Empty if there are too few values to compare, and for a constant.
    std::optional<double> lambda2{};
    std::optional<double> lambda2_error{};
    std::optional<double> ks{};
    std::optional<double> a2{};
    /// The mean of its draws, those below 0 raised to 0, over that of all values; empty if it has no mean.
    std::optional<double> mean_ratio{};
    bool nearly_constant = false;  ///< a constant, to within FitRules::constant_within
};

/// Whether flows of the family have the mean of all values, and so their rate: within 2 %.
[[nodiscard]] bool keeps_mean(const FamilyFit& fit);

struct FitRules {
    Rounding rounding = Rounding::once;
    /// Values count as constant if the standard deviation, as a normal distribution with their quartiles has it, is at
    /// most this share of their median; 0: only if all are equal.
    double constant_within = 0;
    std::size_t most_discrete = 64;  ///< number of different values up to which `discrete` is a candidate
    bool counts = false;             ///< values are counts, as in a Poisson distribution: sizes
    std::optional<double> mean{};    ///< of all values that the sample was chosen from; empty: that of the sample
};

/// All families with parameters for the sample, best first. A constant is first, if it is one. Then those whose lambda2
/// is within two standard errors of the smallest one, by their BIC; then the others by lambda2; then those without.
/// Requires: a sample of at least one value.
[[nodiscard]] std::vector<FamilyFit> fit_families(const Sample& sample, const FitRules& rules);

/// "exp", "gamma", ...: as in docs/reference/models.md.
[[nodiscard]] std::string family_name(const Distribution& distribution);

}  // namespace groma
