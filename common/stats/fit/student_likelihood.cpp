// The families with a location and heavy tails on both sides (common/stats/fit/maximum_likelihood.hpp).
#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <limits>

#include "common/model/distributions/distribution_check.hpp"
#include "common/stats/fit/maximum_likelihood.hpp"

namespace groma {

namespace {

struct Placed {
    double location = 0;
    double scale = 0;
};

/// Median, and half of what lies between the quartiles; scale 0: half of the values are equal, and the likelihood has
/// no bound.
Placed quartiles(const Sample& sample) {
    return {sample.quantile(0.5), (sample.quantile(0.75) - sample.quantile(0.25)) / 2};
}

/// One step of expectation and maximisation: each value counts the less the farther it is out.
Placed improved(const Sample& sample, double degrees, const Placed& at) {
    double weights = 0;
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        const double apart = sample.values[i] - at.location;
        const double z = apart / at.scale;
        const double weight = static_cast<double>(sample.counts[i]) * (degrees + 1) / (degrees + z * z);
        weights += weight;
        first += weight * apart;
        second += weight * apart * apart;
    }
    const double shift = first / weights;
    return {at.location + shift, std::sqrt(std::max(second / weights - shift * shift, 0.0))};
}

Placed likeliest_place(const Sample& sample, double degrees, Placed at) {
    constexpr int kSteps = 300;
    constexpr double kPrecision = 1e-8;
    for (int step = 0; step < kSteps and at.scale > 0; ++step) {
        const Placed next = improved(sample, degrees, at);
        const bool near = std::abs(next.scale - at.scale) < kPrecision * at.scale and
                          std::abs(next.location - at.location) < kPrecision * at.scale;
        at = next;
        if (near) {
            break;
        }
    }
    return at;
}

/// As log_density() sums up, less what is the same for all.
double student_likelihood(const Sample& sample, double degrees, const Placed& at) {
    const double half = (degrees + 1) / 2;
    double sum = 0;
    for (std::size_t i = 0; i < sample.values.size(); ++i) {
        const double z = (sample.values[i] - at.location) / at.scale;
        sum += static_cast<double>(sample.counts[i]) * std::log1p(z * z / degrees);
    }
    const double each = std::lgamma(half) - std::lgamma(degrees / 2) - std::log(degrees) / 2 - std::log(at.scale);
    return static_cast<double>(sample.total) * each - half * sum;
}

std::optional<Distribution> if_possible(const Distribution& distribution) {
    return parameter_mistake(distribution).empty() ? std::optional(distribution) : std::nullopt;
}

}  // namespace

std::optional<Distribution> likeliest_cauchy(const Sample& sample) {
    const Placed at = likeliest_place(sample, 1, quartiles(sample));
    return at.scale > 0 ? if_possible(Cauchy{at.location, at.scale}) : std::nullopt;
}

std::optional<Distribution> likeliest_student(const Sample& sample) {
    constexpr double kFewest = 0.2;
    constexpr double kMost = 200;
    constexpr int kBits = 16;
    Placed at = quartiles(sample);
    if (not(at.scale > 0)) {
        return std::nullopt;
    }
    const Placed start = at;
    const auto misfit = [&](double log_degrees) {
        const double degrees = std::exp(log_degrees);
        at = likeliest_place(sample, degrees, at.scale > 0 ? at : start);
        return at.scale > 0 ? -student_likelihood(sample, degrees, at) : std::numeric_limits<double>::max();
    };
    std::uintmax_t steps = 40;
    const double best =
        boost::math::tools::brent_find_minima(misfit, std::log(kFewest), std::log(kMost), kBits, steps).first;
    at = likeliest_place(sample, std::exp(best), start);
    return at.scale > 0 ? if_possible(StudentT{std::exp(best), at.location, at.scale}) : std::nullopt;
}

}  // namespace groma
