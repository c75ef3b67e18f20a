#include "common/model/families/parametric_families.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/minima.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

namespace {

auto standard(const StudentT& d) {
    return boost::math::students_t_distribution<double, MathPolicy>(d.degrees);
}

struct Placed {
    double location = 0;
    double scale = 0;
};

/// Median, and half of the interquartile range. Scale 0: half of the values are equal, and the likelihood is unbounded.
Placed quartiles(const Sample& sample) {
    return {sample.quantile(0.5), (sample.quantile(0.75) - sample.quantile(0.25)) / 2};
}

/// Weights of values, and their weighted sums: of the distances from the location, and of the squares of these.
struct WeightedSums {
    double weights = 0;
    double first = 0;
    double second = 0;
};

double probability_below(double end, double degrees, const Placed& at) {
    return StudentT{degrees, at.location, at.scale}.tail(Tail::lower, end);
}

/// What is expected of a value of which only that it is below `end` is known, by the weights of improved(). They make
/// of the density that of two degrees more, whose moments below an end have closed forms.
WeightedSums expected_below(double end, double degrees, const Placed& at) {
    const double more = degrees + 2;
    const StudentT weighted{more, at.location, at.scale * std::sqrt(degrees / more)};
    const double probability = probability_below(end, degrees, at);
    const double weight = weighted.tail(Tail::lower, end) / probability;
    const double z = (end - at.location) / weighted.scale;
    const double density = std::exp(weighted.log_density(end)) / probability;
    return {weight, -weighted.scale * weighted.scale * (more + z * z) / (more - 1) * density,
            at.scale * at.scale * std::max(degrees + 1 - degrees * weight, 0.0)};
}

/// Zeros may be draws below 0. A law for which these are next to impossible takes them as they are.
bool may_be_raised(const Sample& sample, double degrees, const Placed& at) {
    constexpr double kRarest = 1e-100;
    return sample.zeros() > 0 and probability_below(sample.resolution / 2, degrees, at) > kRarest;
}

/// One step of expectation and maximisation: a value farther out weighs less.
Placed improved(const Sample& sample, double degrees, const Placed& at) {
    WeightedSums sums;
    const bool raised = may_be_raised(sample, degrees, at);
    if (raised) {
        const auto zeros = static_cast<double>(sample.zeros());
        const WeightedSums each = expected_below(sample.resolution / 2, degrees, at);
        sums = {zeros * each.weights, zeros * each.first, zeros * each.second};
    }
    for (std::size_t i = raised ? 1 : 0; i < sample.values.size(); ++i) {
        const double apart = sample.values[i] - at.location;
        const double z = apart / at.scale;
        const double weight = static_cast<double>(sample.counts[i]) * (degrees + 1) / (degrees + z * z);
        sums.weights += weight;
        sums.first += weight * apart;
        sums.second += weight * apart * apart;
    }
    const double shift = sums.first / sums.weights;
    return {at.location + shift, std::sqrt(std::max(sums.second / sums.weights - shift * shift, 0.0))};
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

/// The sum of log_density(), without the terms that are the same for all; for zeros the logarithm of the probability of
/// draws below 0.
double student_likelihood(const Sample& sample, double degrees, const Placed& at) {
    const double half = (degrees + 1) / 2;
    const bool raised = may_be_raised(sample, degrees, at);
    const auto zeros = raised ? static_cast<double>(sample.zeros()) : 0.0;
    double sum = 0;
    for (std::size_t i = raised ? 1 : 0; i < sample.values.size(); ++i) {
        const double z = (sample.values[i] - at.location) / at.scale;
        sum += static_cast<double>(sample.counts[i]) * std::log1p(z * z / degrees);
    }
    const double each = std::lgamma(half) - std::lgamma(degrees / 2) - std::log(degrees) / 2 - std::log(at.scale);
    const double of_zeros = raised ? zeros * std::log(probability_below(sample.resolution / 2, degrees, at)) : 0;
    return (static_cast<double>(sample.total) - zeros) * each - half * sum + of_zeros;
}

}  // namespace

Moments StudentT::moments() const {
    Moments moments;
    if (degrees > 1) {
        moments.mean = location;
    }
    if (degrees > 2) {
        moments.variance = scale * scale * degrees / (degrees - 2);
    }
    return moments;
}

std::optional<double> StudentT::mean_from_0() const {
    if (degrees <= 1) {
        return std::nullopt;
    }
    const double z = location / scale;
    return scale * scale * (degrees + z * z) / (degrees - 1) * std::exp(log_density(0)) +
           location * tail(Tail::upper, 0);
}

double StudentT::tail(Tail side, double x) const {
    return tail_of(standard(*this), side, (x - location) / scale);
}

double StudentT::quantile(Tail side, double probability) const {
    return location + scale * quantile_of(standard(*this), side, probability);
}

double StudentT::log_density(double x) const {
    const double z = (x - location) / scale;
    const double half = (degrees + 1) / 2;
    return std::lgamma(half) - std::lgamma(degrees / 2) - std::log(degrees * std::numbers::pi) / 2 - std::log(scale) -
           half * std::log1p(z * z / degrees);
}

std::unique_ptr<Drawer> StudentT::drawer() const {
    boost::random::student_t_distribution<double> student(degrees);
    return drawer_of([student, location = location, scale = scale](Engine& engine) mutable {
        return location + scale * student(engine);
    });
}

std::optional<StudentT> StudentT::likeliest_of(const Sample& sample, double degrees) {
    const Placed at = likeliest_place(sample, degrees, quartiles(sample));
    return at.scale > 0 ? std::optional(StudentT{degrees, at.location, at.scale}) : std::nullopt;
}

std::optional<StudentT> StudentT::likeliest(const Sample& sample) {
    constexpr double kFewest = 0.2;
    constexpr double kMost = 200;
    constexpr int kBits = 16;
    Placed at = quartiles(sample);
    if (not(at.scale > 0)) {
        return std::nullopt;
    }
    const Placed start = at;
    const auto misfit = [&](double log_degrees) {
        const double tried = std::exp(log_degrees);
        at = likeliest_place(sample, tried, at.scale > 0 ? at : start);
        return at.scale > 0 ? -student_likelihood(sample, tried, at) : std::numeric_limits<double>::max();
    };
    std::uintmax_t steps = 40;
    const double best =
        boost::math::tools::brent_find_minima(misfit, std::log(kFewest), std::log(kMost), kBits, steps).first;
    return likeliest_of(sample, std::exp(best));
}

}  // namespace groma
