#include "common/stats/fit/family_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "common/model/distributions/distribution_text.hpp"
#include "common/stats/fit/maximum_likelihood.hpp"

namespace groma {

namespace {

enum class Towards : std::uint8_t { nearest, down, up };

/// To six significant digits: what more there were would say nothing, and make texts long.
double rounded(double value, Towards towards = Towards::nearest) {
    constexpr int kDigits = 6;
    if (value == 0 or not std::isfinite(value)) {
        return value;
    }
    const int shift = kDigits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double scale = std::pow(10.0, std::abs(shift));
    const double moved = shift >= 0 ? value * scale : value / scale;
    const double whole = towards == Towards::down ? std::floor(moved)
                         : towards == Towards::up ? std::ceil(moved)
                                                  : std::round(moved);
    return shift >= 0 ? whole / scale : whole * scale;
}

/// Ends are rounded outwards: no value of the sample becomes impossible.
struct RoundedParameters {
    Distribution operator()(const Exponential& d) const { return Exponential{rounded(d.mean)}; }
    Distribution operator()(const Normal& d) const { return Normal{rounded(d.mean), rounded(d.deviation)}; }
    Distribution operator()(const Uniform& d) const { return d; }
    Distribution operator()(const Pareto& d) const { return Pareto{rounded(d.shape), rounded(d.scale, Towards::down)}; }
    Distribution operator()(const LogNormal& d) const { return LogNormal{rounded(d.median), rounded(d.sigma)}; }
    Distribution operator()(const Gamma& d) const { return Gamma{rounded(d.shape), rounded(d.scale)}; }
    Distribution operator()(const Weibull& d) const { return Weibull{rounded(d.shape), rounded(d.scale)}; }
    Distribution operator()(const Cauchy& d) const { return Cauchy{rounded(d.location), rounded(d.scale)}; }
    Distribution operator()(const StudentT& d) const {
        return StudentT{rounded(d.degrees), rounded(d.location), rounded(d.scale)};
    }
    Distribution operator()(const Poisson& d) const { return Poisson{rounded(d.mean), d.unit}; }
    template <typename AsItIs>
    Distribution operator()(const AsItIs& d) const {
        return d;
    }
};

double schwarz(const FamilyFit& fit, const Sample& sample) {
    return fit.parameters * std::log(static_cast<double>(sample.total)) - 2 * fit.log_likelihood;
}

FamilyFit judged(const Sample& sample, const Distribution& likeliest, unsigned parameters, Rounding rounding) {
    FamilyFit fit;
    fit.distribution = std::visit(RoundedParameters{}, likeliest);
    fit.parameters = parameters;
    fit.log_likelihood = log_likelihood(sample, fit.distribution);
    fit.bic = schwarz(fit, sample);
    if (const auto distance = compared(sample, fit.distribution, rounding, parameters)) {
        fit.lambda2 = distance->lambda2;
        fit.lambda2_error = distance->lambda2_error;
        fit.ks = distance->ks;
        fit.a2 = distance->a2;
    }
    return fit;
}

/// Each value with its own share: nothing is left to compare, and only its many parameters speak against it.
FamilyFit judged_discrete(const Sample& sample, Distribution discrete) {
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

std::optional<FamilyFit> as_constant(const Sample& sample, double within) {
    constexpr double kQuartiles = 1.349;  // of the standard normal distribution, apart
    const double median = sample.quantile(0.5);
    const double spread = (sample.quantile(0.75) - sample.quantile(0.25)) / kQuartiles;
    const bool equal = sample.values.size() == 1;
    if (median <= 0 or not(equal or spread <= within * median)) {
        return std::nullopt;
    }
    FamilyFit fit;
    const double mean = sample.mean();
    // The mean keeps the rate, but not where something else than the constant has made it.
    fit.distribution = Constant{std::abs(mean / median - 1) <= within ? rounded(mean) : median};
    fit.parameters = 1;
    fit.nearly_constant = not equal;
    fit.log_likelihood = equal ? 0 : -std::numeric_limits<double>::infinity();
    fit.bic = schwarz(fit, sample);
    return fit;
}

struct Candidate {
    std::optional<Distribution> (*likeliest)(const Sample&);
    unsigned parameters;
};

constexpr std::array kCandidates{
    Candidate{likeliest_exponential, 1}, Candidate{likeliest_normal, 2},    Candidate{likeliest_uniform, 2},
    Candidate{likeliest_pareto, 2},      Candidate{likeliest_lognormal, 2}, Candidate{likeliest_gamma, 2},
    Candidate{likeliest_weibull, 2},     Candidate{likeliest_cauchy, 2},    Candidate{likeliest_student, 3},
};

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
        for (const Candidate& candidate : kCandidates) {
            if (const auto likeliest = candidate.likeliest(sample)) {
                fits.push_back(judged(sample, *likeliest, candidate.parameters, rules.rounding));
            }
        }
        if (rules.counts) {
            if (const auto poisson = likeliest_poisson(sample)) {
                fits.push_back(judged(sample, *poisson, 1, rules.rounding));
            }
        }
        if (auto discrete = likeliest_discrete(sample, rules.most_discrete)) {
            fits.push_back(judged_discrete(sample, std::move(*discrete)));
        }
        rank(fits);
    }
    if (auto constant = as_constant(sample, rules.constant_within)) {
        fits.insert(fits.begin(), std::move(*constant));
    }
    return fits;
}

std::string family_name(const Distribution& distribution) {
    const std::string text = size_to_string(distribution);
    return text.substr(0, text.find(':'));
}

}  // namespace groma
