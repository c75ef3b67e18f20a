#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/cauchy.hpp>
#include <cmath>
#include <numbers>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"

namespace groma {

namespace {

auto standard(const Cauchy& d) {
    return boost::math::cauchy_distribution<double, MathPolicy>(d.location, d.scale);
}

}  // namespace

double Cauchy::tail(Tail side, double x) const {
    return tail_of(standard(*this), side, x);
}

double Cauchy::quantile(Tail side, double probability) const {
    return quantile_of(standard(*this), side, probability);
}

double Cauchy::log_density(double x) const {
    const double z = (x - location) / scale;
    return -std::log(std::numbers::pi * scale) - std::log1p(z * z);
}

std::unique_ptr<Drawer> Cauchy::drawer() const {
    return drawer_of([d = *this](Engine& engine) {
        return d.location + d.scale * std::tan(std::numbers::pi * (unit_draw(engine) - 0.5));
    });
}

std::optional<Cauchy> Cauchy::likeliest(const Sample& sample) {
    const auto student = StudentT::likeliest_of(sample, 1);
    return student ? std::optional(Cauchy{student->location, student->scale}) : std::nullopt;
}

}  // namespace groma
