#include "common/stats/fit/family_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "common/model/distributions/reference.hpp"
#include "common/stats/fit/maximum_likelihood.hpp"

namespace groma {

namespace {

/// To six significant digits: further ones carry no information, and make texts long.
double rounded(double value, Fitted how) {
    constexpr int kDigits = 6;
    if (value == 0 or not std::isfinite(value) or how == Fitted::exactly or how == Fitted::given) {
        return value;
    }
    const int shift = kDigits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(shift));
    const double moved = shift >= 0 ? value * scale : value / scale;
    const double whole = how == Fitted::rounded_down ? std::floor(moved) : std::round(moved);
    return shift >= 0 ? whole / scale : whole * scale;
}

double schwarz(const FamilyFit& fit, const Sample& sample) {
    return fit.parameters * std::log(static_cast<double>(sample.total)) - 2 * fit.log_likelihood;
}

template <typename Family>
FamilyFit judged(const Sample& sample, Family likeliest, Rounding rounding) {
    FamilyFit fit;
    for (const auto& parameter : Family::kParameters) {
        double& value = likeliest.*parameter.member;
        value = rounded(value, parameter.fitted);
        fit.parameters += parameter.fitted == Fitted::given ? 0U : 1U;
    }
    fit.distribution = likeliest;
    fit.log_likelihood = log_likelihood(sample, fit.distribution);
    fit.bic = schwarz(fit, sample);
    if (const auto distance = compared(sample, fit.distribution, rounding, fit.parameters)) {
        fit.lambda2 = distance->lambda2;
        fit.lambda2_error = distance->lambda2_error;
        fit.ks = distance->ks;
        fit.a2 = distance->a2;
    }
    return fit;
}

bool fits_better(const FamilyFit& one, const FamilyFit& other) {
    return one.lambda2 and other.lambda2 and *one.lambda2 + 2 * one.lambda2_error.value_or(0) < *other.lambda2;
}

/// For a law that begins at its smallest value: what fits without the smallest 0.5 %, where that describes all values
/// better, strays among them included.
template <typename Family>
void try_without_strays(const Sample& sample, const FitRules& rules, FamilyFit& fit) {
    constexpr std::uint64_t kOneOf = 200;
    const std::uint64_t strays = sample.total / kOneOf;
    if (strays == 0) {
        return;
    }
    if (const auto found = likeliest<Family>(without_smallest(sample, strays))) {
        if (FamilyFit other = judged(sample, *found, rules.rounding); fits_better(other, fit)) {
            fit = std::move(other);
        }
    }
}

/// Families that are not continuous are for counts only.
template <typename Family>
void add_fit(const Sample& sample, const FitRules& rules, std::vector<FamilyFit>& fits) {
    if constexpr (requires { Family::likeliest(sample); }) {
        if (Family::continuous() or rules.counts) {
            if (const auto found = likeliest<Family>(sample)) {
                fits.push_back(judged(sample, *found, rules.rounding));
                if constexpr (requires { Family::kBeginsAtSmallest; }) {
                    try_without_strays<Family>(sample, rules, fits.back());
                }
            }
        }
    }
}

template <typename... Families>
std::vector<FamilyFit> fits_of(const std::variant<Families...>* /*none*/, const Sample& sample, const FitRules& rules) {
    std::vector<FamilyFit> fits;
    (add_fit<Families>(sample, rules, fits), ...);
    return fits;
}

/// Each value with its own share: this fits exactly; only its number of parameters counts against it.
FamilyFit judged_discrete(const Sample& sample, Discrete discrete) {
    FamilyFit fit;
    fit.distribution = std::move(discrete);
    fit.parameters = static_cast<unsigned>(sample.values.size() - 1);
    const double n = static_cast<double>(sample.total);
    for (const std::uint64_t count : sample.counts) {
        fit.log_likelihood += static_cast<double>(count) * std::log(static_cast<double>(count) / n);
    }
    fit.bic = schwarz(fit, sample);
    if (sample.total >= kFewestGaps) {
        fit.lambda2 = fit.lambda2_error = fit.ks = 0;
    }
    return fit;
}

std::optional<FamilyFit> as_constant(const Sample& sample, double mean, double within) {
    constexpr double kQuartiles = 1.349;  // between the quartiles of the standard normal distribution
    const double median = sample.quantile(0.5);
    const double spread = (sample.quantile(0.75) - sample.quantile(0.25)) / kQuartiles;
    const bool equal = sample.values.size() == 1;
    if (median <= 0 or not(equal or spread <= within * median)) {
        return std::nullopt;
    }
    FamilyFit fit;
    // The mean keeps the rate, unless outliers of the constant have moved it.
    fit.distribution = Constant{std::abs(mean / median - 1) <= within ? rounded(mean, Fitted::rounded) : median};
    fit.parameters = 1;
    fit.nearly_constant = not equal;
    fit.log_likelihood = equal ? 0 : -std::numeric_limits<double>::infinity();
    fit.bic = schwarz(fit, sample);
    return fit;
}

/// 0: among the best; 1: the others; 2: without lambda2.
int group_of(const FamilyFit& fit, double least) {
    if (not fit.lambda2) {
        return 2;
    }
    return *fit.lambda2 - least <= 2 * fit.lambda2_error.value_or(0) ? 0 : 1;
}

void rank(std::vector<FamilyFit>& fits) {
    double least = std::numeric_limits<double>::infinity();
    for (const FamilyFit& fit : fits) {
        least = std::min(least, fit.lambda2.value_or(least));
    }
    std::ranges::stable_sort(fits, [least](const FamilyFit& a, const FamilyFit& b) {
        const int group = group_of(a, least);
        if (group != group_of(b, least)) {
            return group < group_of(b, least);
        }
        return group == 1 ? *a.lambda2 < *b.lambda2 : a.bic < b.bic;
    });
}

}  // namespace

std::vector<FamilyFit> fit_families(const Sample& sample, const FitRules& rules) {
    std::vector<FamilyFit> fits;
    if (sample.values.size() > 1) {
        fits = fits_of(static_cast<const SimpleDistribution*>(nullptr), sample, rules);
        if (auto discrete = likeliest<Discrete>(sample, rules.most_discrete)) {
            fits.push_back(judged_discrete(sample, std::move(*discrete)));
        }
        rank(fits);
    }
    const double seen = rules.mean.value_or(sample.mean());
    if (auto constant = as_constant(sample, seen, rules.constant_within)) {
        fits.insert(fits.begin(), std::move(*constant));
    }
    for (FamilyFit& fit : fits) {
        const auto mean = mean_from_0(fit.distribution);
        fit.mean_ratio = mean and seen > 0 ? std::optional(*mean / seen) : std::nullopt;
    }
    return fits;
}

bool keeps_mean(const FamilyFit& fit) {
    constexpr double kOff = 0.02;
    return fit.mean_ratio and std::abs(*fit.mean_ratio - 1) <= kOff;
}

std::string family_name(const Distribution& distribution) {
    return std::string(kNamesOf<Distribution>.at(distribution.index()));
}

}  // namespace groma
