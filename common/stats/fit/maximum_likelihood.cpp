#include "common/stats/fit/maximum_likelihood.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/log_density.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

std::optional<Distribution> if_possible(Distribution distribution) {
    return parameter_mistake(distribution).empty() ? std::optional(std::move(distribution)) : std::nullopt;
}

/// The mean of `of(i)` over the sample.
template <typename Of>
double mean_of(const Sample& sample, Of of) {
    double sum = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        sum += static_cast<double>(sample.counts[i]) * of(i);
    }
    return sum / static_cast<double>(sample.total);
}

double mean_logarithm(const Sample& sample) {
    return mean_of(sample, [&](std::size_t i) { return std::log(sample.positive(i)); });
}

double positive_mean(const Sample& sample) {
    return mean_of(sample, [&](std::size_t i) { return sample.positive(i); });
}

/// P(low < X <= high) from whichever side is the smaller.
double between(const Distribution& distribution, double low, double high) {
    const double below = cdf(distribution, low);
    return below < 0.5 ? cdf(distribution, high) - below : survival(distribution, low) - survival(distribution, high);
}

/// Of one value, as it is rounded. What is below 0 is raised to 0.
double log_probability(const Distribution& distribution, double value, double resolution, bool exactly) {
    constexpr double kTooRare = 1e-9;  // a difference of probabilities says nothing any more
    constexpr double kRarest = -1e4;   // impossible, but for an outlier
    const double half = resolution / 2;
    if (exactly or value < half) {
        const double probability =
            value < half ? cdf(distribution, half) : between(distribution, value - half, value + half);
        if (probability > kTooRare) {
            return std::log(probability);
        }
    }
    const double density = log_density(distribution, std::max(value, half));
    return std::isfinite(density) ? std::max(density + std::log(resolution), kRarest) : kRarest;
}

/// sum of w y^k ln y / sum of w y^k - 1/k - mean of ln y, which rises with k; `logarithms` are those of y.
double weibull_equation(const Sample& sample, const std::vector<double>& logarithms, double mean, double shape) {
    double powers = 0;
    double weighed = 0;
    for (std::size_t i = 0; i < logarithms.size(); ++i) {
        // The largest logarithm is the last one: no power is above 1.
        const double power =
            static_cast<double>(sample.counts[i]) * std::exp(shape * (logarithms[i] - logarithms.back()));
        powers += power;
        weighed += power * logarithms[i];
    }
    return weighed / powers - 1 / shape - mean;
}

}  // namespace

std::optional<Distribution> likeliest_exponential(const Sample& sample) {
    return if_possible(Exponential{sample.mean()});
}

std::optional<Distribution> likeliest_normal(const Sample& sample) {
    const double mean = sample.mean();
    const double variance = mean_of(sample, [&](std::size_t i) {
        const double apart = sample.values[i] - mean;
        return apart * apart;
    });
    return if_possible(Normal{mean, std::sqrt(variance)});
}

std::optional<Distribution> likeliest_uniform(const Sample& sample) {
    if (sample.values.size() < 2) {
        return std::nullopt;
    }
    const double half = sample.resolution / 2;
    return if_possible(Uniform{std::max(sample.values.front() - half, 0.0), sample.values.back() + half});
}

std::optional<Distribution> likeliest_pareto(const Sample& sample) {
    const double scale = sample.positive(0);
    const double logarithm = mean_logarithm(sample) - std::log(scale);
    return logarithm > 0 ? if_possible(Pareto{1 / logarithm, scale}) : std::nullopt;
}

std::optional<Distribution> likeliest_lognormal(const Sample& sample) {
    const double mean = mean_logarithm(sample);
    const double variance = mean_of(sample, [&](std::size_t i) {
        const double apart = std::log(sample.positive(i)) - mean;
        return apart * apart;
    });
    return if_possible(LogNormal{std::exp(mean), std::sqrt(variance)});
}

std::optional<Distribution> likeliest_gamma(const Sample& sample) {
    constexpr int kSteps = 50;
    constexpr double kPrecision = 1e-10;
    const double mean = positive_mean(sample);
    const double s = std::log(mean) - mean_logarithm(sample);
    if (not(s > 1e-12)) {
        return std::nullopt;
    }
    double shape = (3 - s + std::sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
    for (int step = 0; step < kSteps; ++step) {
        const double off = std::log(shape) - boost::math::digamma(shape) - s;
        const double better = shape - off / (1 / shape - boost::math::trigamma(shape));
        const double next = better > 0 ? better : shape / 2;
        const bool near = std::abs(next - shape) < kPrecision * shape;
        shape = next;
        if (near) {
            break;
        }
    }
    return if_possible(Gamma{shape, mean / shape});
}

std::optional<Distribution> likeliest_weibull(const Sample& sample) {
    constexpr double kSmallest = 0.01;
    constexpr double kLargest = 1e5;
    std::vector<double> logarithms(sample.values.size());
    for (std::size_t i = 0; i < logarithms.size(); ++i) {
        logarithms[i] = std::log(sample.positive(i));
    }
    const double mean = mean_logarithm(sample);
    const auto equation = [&](double log_shape) {
        return weibull_equation(sample, logarithms, mean, std::exp(log_shape));
    };
    if (equation(std::log(kSmallest)) >= 0 or equation(std::log(kLargest)) <= 0) {
        return std::nullopt;
    }
    std::uintmax_t steps = 100;
    const auto [low, high] = boost::math::tools::toms748_solve(equation, std::log(kSmallest), std::log(kLargest),
                                                               boost::math::tools::eps_tolerance<double>(34), steps);
    const double shape = std::exp((low + high) / 2);
    const double power = mean_of(sample, [&](std::size_t i) { return std::exp(shape * (logarithms[i] - mean)); });
    return if_possible(Weibull{shape, std::exp(mean + std::log(power) / shape)});
}

std::optional<Distribution> likeliest_poisson(const Sample& sample) {
    return if_possible(Poisson{sample.mean() / sample.resolution, sample.resolution});
}

std::optional<Distribution> likeliest_discrete(const Sample& sample, std::size_t most) {
    if (sample.values.size() > std::min(most, kMaxDiscreteValues)) {
        return std::nullopt;
    }
    Discrete discrete{sample.values, {}};
    discrete.weights.assign(sample.counts.begin(), sample.counts.end());
    return if_possible(std::move(discrete));
}

double log_likelihood(const Sample& sample, const Distribution& distribution) {
    constexpr std::size_t kFewValues = 4096;
    const bool exactly = sample.values.size() <= kFewValues;
    double sum = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        sum += static_cast<double>(sample.counts[i]) *
               log_probability(distribution, sample.values[i], sample.resolution, exactly);
    }
    return sum;
}

}  // namespace groma
