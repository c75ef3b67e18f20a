// Which of the families that flows can be made of (docs/reference/models.md) describes a sample best
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

/// A family with its likeliest parameters, held to six significant digits, of which all figures are.
struct FamilyFit {
    Distribution distribution;
    unsigned parameters = 0;    ///< that were taken from the sample
    double log_likelihood = 0;  ///< ln of the probability of the sample, each value as rounded
    double bic = 0;             ///< parameters ln n - 2 log_likelihood [Schwarz 1978]
    /// Nothing where there are too few values to compare, and of a constant.
    std::optional<double> lambda2{};
    std::optional<double> lambda2_error{};
    std::optional<double> ks{};
    std::optional<double> a2{};
    bool nearly_constant = false;  ///< a constant, to within FitRules::constant_within
};

struct FitRules {
    Rounding rounding = Rounding::once;
    /// Values count as constant when the standard deviation that their quartiles make of a normal distribution is at
    /// most this share of their median; 0: only when all are equal.
    double constant_within = 0;
    std::size_t most_discrete = 64;  ///< different values that still make a `discrete`
    bool counts = false;             ///< whole numbers of something, as a Poisson distribution has them: sizes
};

/// All families that the sample has parameters for, best first. First of all stands a constant, if it is one. Else
/// those whose lambda2 is within two of its standard errors of the least one, by their BIC; behind them the others by
/// lambda2, then those without. Requires: a sample of at least one value.
[[nodiscard]] std::vector<FamilyFit> fit_families(const Sample& sample, const FitRules& rules);

/// "exp", "gamma", ...: as docs/reference/models.md has it.
[[nodiscard]] std::string family_name(const Distribution& distribution);

}  // namespace groma
