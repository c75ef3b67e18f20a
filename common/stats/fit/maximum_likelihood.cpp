#include "common/stats/fit/maximum_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "common/model/distributions/log_density.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

/// P(low < X <= high), computed from the smaller side.
double between(const Distribution& distribution, double low, double high) {
    const double below = cdf(distribution, low);
    return below < 0.5 ? cdf(distribution, high) - below : survival(distribution, low) - survival(distribution, high);
}

/// For one value with its rounding. Draws below 0 are raised to 0.
double log_probability(const Distribution& distribution, double value, double resolution, bool exactly) {
    constexpr double kTooRare = 1e-9;  // below this a difference of probabilities is only rounding
    constexpr double kRarest = -1e4;   // of an impossible value, which may be an outlier
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

}  // namespace

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
