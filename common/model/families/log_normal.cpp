#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/lognormal.hpp>
#include <boost/random/lognormal_distribution.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

namespace {

auto standard(const LogNormal& d) {
    return boost::math::lognormal_distribution<double, MathPolicy>(std::log(d.median), d.sigma);
}

}  // namespace

Moments LogNormal::moments() const {
    const double s2 = sigma * sigma;
    return {if_finite(median * std::exp(s2 / 2)), if_finite(median * median * std::expm1(s2) * std::exp(s2))};
}

double LogNormal::tail(Tail side, double x) const {
    return positive_tail_of(standard(*this), side, x);
}

double LogNormal::quantile(Tail side, double probability) const {
    return quantile_of(standard(*this), side, probability);
}

double LogNormal::log_density(double x) const {
    if (x <= 0) {
        return kNever;
    }
    const double z = std::log(x / median) / sigma;
    return -kLogRootTwoPi - std::log(sigma * x) - z * z / 2;
}

std::unique_ptr<Drawer> LogNormal::drawer() const {
    return drawer_of(boost::random::lognormal_distribution<double>(std::log(median), sigma));
}

std::optional<LogNormal> LogNormal::likeliest(const Sample& sample) {
    const double mean = sample.mean_logarithm();
    const double variance = sample.mean_of([&](std::size_t i) {
        const double apart = std::log(sample.positive(i)) - mean;
        return apart * apart;
    });
    return LogNormal{std::exp(mean), std::sqrt(variance)};
}

}  // namespace groma
