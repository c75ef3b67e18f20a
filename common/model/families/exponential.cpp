#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/exponential.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

double Exponential::tail(Tail side, double x) const {
    return positive_tail_of(boost::math::exponential_distribution<double, MathPolicy>(1 / mean), side, x);
}

double Exponential::quantile(Tail side, double probability) const {
    return -mean * (side == Tail::upper ? std::log(probability) : std::log1p(-probability));
}

double Exponential::log_density(double x) const {
    return x < 0 ? kNever : -std::log(mean) - x / mean;
}

std::unique_ptr<Drawer> Exponential::drawer() const {
    return drawer_of(boost::random::exponential_distribution<double>(1.0 / mean));
}

std::optional<Exponential> Exponential::likeliest(const Sample& sample) {
    return Exponential{sample.mean()};
}

}  // namespace groma
