#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/incomplete_gamma.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

namespace {

auto standard(const Gamma& d) {
    return boost::math::gamma_distribution<double, MathPolicy>(d.shape, d.scale);
}

}  // namespace

double Gamma::tail(Tail side, double x) const {
    return gamma_tail(side, shape, x / scale);
}

double Gamma::quantile(Tail side, double probability) const {
    return quantile_of(standard(*this), side, probability);
}

double Gamma::log_density(double x) const {
    if (x <= 0) {
        return kNever;
    }
    const double z = x / scale;
    return (shape - 1) * std::log(z) - z - std::lgamma(shape) - std::log(scale);
}

std::unique_ptr<Drawer> Gamma::drawer() const {
    return drawer_of(boost::random::gamma_distribution<double>(shape, scale));
}

std::optional<Gamma> Gamma::likeliest(const Sample& sample) {
    constexpr int kSteps = 50;
    constexpr double kPrecision = 1e-10;
    const double mean = sample.mean_of([&](std::size_t i) { return sample.positive(i); });
    const double s = std::log(mean) - sample.mean_logarithm();
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
    return Gamma{shape, mean / shape};
}

}  // namespace groma
