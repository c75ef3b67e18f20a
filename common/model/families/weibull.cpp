#include "common/model/families/parametric_families.hpp"

#include <boost/math/distributions/weibull.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>

#include "common/model/families/drawer.hpp"
#include "common/model/families/math_distribution.hpp"
#include "common/model/families/sample.hpp"

namespace groma {

namespace {

auto standard(const Weibull& d) {
    return boost::math::weibull_distribution<double, MathPolicy>(d.shape, d.scale);
}

/// sum of w y^k ln y / sum of w y^k - 1/k - mean of ln y, which rises with k; `logarithms` are those of y.
double weibull_equation(const Sample& sample, const std::vector<double>& logarithms, double mean, double shape) {
    double powers = 0;
    double weighed = 0;
    for (std::size_t i = 0; i < logarithms.size(); ++i) {
        // The last logarithm is the largest: no power is above 1.
        const double power =
            static_cast<double>(sample.counts[i]) * std::exp(shape * (logarithms[i] - logarithms.back()));
        powers += power;
        weighed += power * logarithms[i];
    }
    return weighed / powers - 1 / shape - mean;
}

}  // namespace

Moments Weibull::moments() const {
    const double first = std::tgamma(1 + 1 / shape);
    const double second = std::tgamma(1 + 2 / shape);
    return {if_finite(scale * first), if_finite(scale * scale * (second - first * first))};
}

double Weibull::tail(Tail side, double x) const {
    return positive_tail_of(standard(*this), side, x);
}

double Weibull::quantile(Tail side, double probability) const {
    return quantile_of(standard(*this), side, probability);
}

double Weibull::log_density(double x) const {
    if (x <= 0) {
        return kNever;
    }
    const double z = std::log(x / scale);
    return std::log(shape / x) + shape * z - std::exp(shape * z);
}

std::unique_ptr<Drawer> Weibull::drawer() const {
    return drawer_of([power = 1.0 / shape, scale = scale](Engine& engine) {
        return scale * std::pow(-std::log(positive_unit_draw(engine)), power);
    });
}

std::optional<Weibull> Weibull::likeliest(const Sample& sample) {
    constexpr double kSmallest = 0.01;
    constexpr double kLargest = 1e5;
    std::vector<double> logarithms(sample.values.size());
    for (std::size_t i = 0; i < logarithms.size(); ++i) {
        logarithms[i] = std::log(sample.positive(i));
    }
    const double mean = sample.mean_logarithm();
    const auto equation = [&](double log_shape) {
        return weibull_equation(sample, logarithms, mean, std::exp(log_shape));
    };
    if (equation(std::log(kSmallest)) >= 0 or equation(std::log(kLargest)) <= 0) {
        return std::nullopt;
    }
    std::uintmax_t steps = 100;
    const auto [low, high] = boost::math::tools::toms748_solve(equation, std::log(kSmallest), std::log(kLargest),
                                                               boost::math::tools::eps_tolerance<double>(34), steps);
    const double shape = std::exp((low + high) / 2);
    const double power = sample.mean_of([&](std::size_t i) { return std::exp(shape * (logarithms[i] - mean)); });
    return Weibull{shape, std::exp(mean + std::log(power) / shape)};
}

}  // namespace groma
