#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/pareto.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

namespace {

auto standard(const Pareto& d) {
    return boost::math::pareto_distribution<double, MathPolicy>(d.scale, d.shape);
}

}  // namespace

Moments Pareto::moments() const {
    const double a = shape;
    Moments moments;
    if (a > 1) {
        moments.mean = a * scale / (a - 1);
    }
    if (a > 2) {
        moments.variance = scale * scale * a / ((a - 1) * (a - 1) * (a - 2));
    }
    return moments;
}

double Pareto::tail(Tail side, double x) const {
    return x <= scale ? tail_below_all(side) : tail_of(standard(*this), side, x);
}

double Pareto::quantile(Tail side, double probability) const {
    return quantile_of(standard(*this), side, probability);
}

double Pareto::log_density(double x) const {
    return x < scale ? kNever : std::log(shape / x) - shape * std::log(x / scale);
}

std::unique_ptr<Drawer> Pareto::drawer() const {
    return drawer_of([power = -1.0 / shape, scale = scale](Engine& engine) {
        return scale * std::pow(positive_unit_draw(engine), power);
    });
}

std::optional<Pareto> Pareto::likeliest(const Sample& sample) {
    const double scale = sample.positive(0);
    const double logarithm = sample.mean_logarithm() - std::log(scale);
    return logarithm > 0 ? std::optional(Pareto{1 / logarithm, scale}) : std::nullopt;
}

}  // namespace groma
