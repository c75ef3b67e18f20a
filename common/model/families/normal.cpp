#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

namespace {

auto standard(const Normal& d) {
    return boost::math::normal_distribution<double, MathPolicy>(d.mean, d.deviation);
}

struct MeanAndVariance {
    double mean = 0;
    double variance = 0;
};

/// Of what a normal distribution draws below an end. Far out, an expansion for the ratio of density to probability.
MeanAndVariance below(const Normal& d, double end) {
    constexpr double kFar = -30;
    const double z = (end - d.mean) / d.deviation;
    const double ratio = z < kFar ? -z - 1 / z : std::exp(d.log_density(end)) * d.deviation / d.tail(Tail::lower, end);
    return {d.mean - d.deviation * ratio, d.deviation * d.deviation * std::max(1 - ratio * (z + ratio), 0.0)};
}

/// A step of expectation and maximisation: zeros, this share of all values, stand for what is drawn below `end`.
/// `seen`: of all values as they are.
Normal improved(const Normal& at, const MeanAndVariance& seen, double zeros, double end) {
    const MeanAndVariance raised = below(at, end);
    const double mean = seen.mean + zeros * raised.mean;
    // The sum of squares around 0: of zeros it was 0.
    const double square = seen.variance + seen.mean * seen.mean + zeros * (raised.variance + raised.mean * raised.mean);
    return {mean, std::sqrt(std::max(square - mean * mean, 0.0))};
}

}  // namespace

std::optional<double> Normal::mean_from_0() const {
    return deviation * deviation * std::exp(log_density(0)) + mean * tail(Tail::upper, 0);
}

double Normal::tail(Tail side, double x) const {
    return tail_of(standard(*this), side, x);
}

double Normal::quantile(Tail side, double probability) const {
    return quantile_of(standard(*this), side, probability);
}

double Normal::log_density(double x) const {
    const double z = (x - mean) / deviation;
    return -kLogRootTwoPi - std::log(deviation) - z * z / 2;
}

std::unique_ptr<Drawer> Normal::drawer() const {
    return drawer_of(boost::random::normal_distribution<double>(mean, deviation));
}

std::optional<Normal> Normal::likeliest(const Sample& sample) {
    const double mean = sample.mean();
    const double variance = sample.mean_of([&](std::size_t i) {
        const double apart = sample.values[i] - mean;
        return apart * apart;
    });
    Normal found{mean, std::sqrt(variance)};
    const double zeros = static_cast<double>(sample.zeros()) / static_cast<double>(sample.total);
    if (zeros == 0) {
        return found;
    }
    constexpr int kSteps = 10'000;
    constexpr double kPrecision = 1e-9;
    for (int step = 0; step < kSteps and found.deviation > 0; ++step) {
        const Normal next = improved(found, {mean, variance}, zeros, sample.resolution / 2);
        const bool near = std::abs(next.mean - found.mean) < kPrecision * found.deviation and
                          std::abs(next.deviation - found.deviation) < kPrecision * found.deviation;
        found = next;
        if (near) {
            break;
        }
    }
    return found;
}

}  // namespace groma
