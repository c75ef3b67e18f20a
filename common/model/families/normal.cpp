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
    return Normal{mean, std::sqrt(variance)};
}

}  // namespace groma
