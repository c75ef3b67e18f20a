#include "common/model/distributions/reference.hpp"

#include <algorithm>
#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

namespace groma {

namespace {

namespace math = boost::math;

/// Answers that overflow are infinities and not exceptions.
using Policy = math::policies::policy<math::policies::overflow_error<math::policies::ignore_error>,
                                      math::policies::underflow_error<math::policies::ignore_error>,
                                      math::policies::evaluation_error<math::policies::ignore_error>>;

struct Moments {
    std::optional<double> mean;
    std::optional<double> variance;
};

/// Of values with weights; all alike when there are no weights.
Moments weighted(const std::vector<double>& values, const std::vector<double>& weights) {
    double total = 0;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double weight = weights.empty() ? 1 : weights[i];
        total += weight;
        sum += weight * values[i];
    }
    const double center = sum / total;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        squares += (weights.empty() ? 1 : weights[i]) * (values[i] - center) * (values[i] - center);
    }
    return {center, squares / total};
}

double weighted_cdf(const std::vector<double>& values, const std::vector<double>& weights, double x) {
    double total = 0;
    double below = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double weight = weights.empty() ? 1 : weights[i];
        total += weight;
        below += values[i] <= x ? weight : 0;
    }
    return below / total;
}

std::optional<double> finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

struct MomentsOf {
    Moments operator()(const Constant& d) const { return {d.value, 0.0}; }
    Moments operator()(const Uniform& d) const {
        return {(d.low + d.high) / 2, (d.high - d.low) * (d.high - d.low) / 12};
    }
    Moments operator()(const Exponential& d) const { return {d.mean, d.mean * d.mean}; }
    Moments operator()(const Normal& d) const { return {d.mean, d.deviation * d.deviation}; }
    Moments operator()(const Poisson& d) const { return {d.mean * d.unit, d.mean * d.unit * d.unit}; }
    Moments operator()(const Pareto& d) const {
        const double a = d.shape;
        Moments moments;
        if (a > 1) {
            moments.mean = a * d.scale / (a - 1);
        }
        if (a > 2) {
            moments.variance = d.scale * d.scale * a / ((a - 1) * (a - 1) * (a - 2));
        }
        return moments;
    }
    Moments operator()(const Cauchy&) const { return {}; }
    Moments operator()(const Gamma& d) const { return {d.shape * d.scale, d.shape * d.scale * d.scale}; }
    Moments operator()(const Weibull& d) const {
        const double first = std::tgamma(1 + 1 / d.shape);
        const double second = std::tgamma(1 + 2 / d.shape);
        return {finite(d.scale * first), finite(d.scale * d.scale * (second - first * first))};
    }
    Moments operator()(const LogNormal& d) const {
        const double s2 = d.sigma * d.sigma;
        return {finite(d.median * std::exp(s2 / 2)), finite(d.median * d.median * std::expm1(s2) * std::exp(s2))};
    }
    Moments operator()(const StudentT& d) const {
        Moments moments;
        if (d.degrees > 1) {
            moments.mean = d.location;
        }
        if (d.degrees > 2) {
            moments.variance = d.scale * d.scale * d.degrees / (d.degrees - 2);
        }
        return moments;
    }
    Moments operator()(const Discrete& d) const { return weighted(d.values, d.weights); }
    Moments operator()(const FromFile& d) const { return weighted(d.values, {}); }
    Moments operator()(const Mixture& d) const;
};

/// Mean and variance of a mixture: those of the components and the spread of their means.
Moments MomentsOf::operator()(const Mixture& d) const {
    const double total = std::accumulate(d.weights.begin(), d.weights.end(), 0.0);
    std::vector<double> means;
    std::optional<double> within = 0;
    for (std::size_t i = 0; i < d.components.size(); ++i) {
        const Moments moments = std::visit(*this, d.components[i]);
        if (not moments.mean) {
            return {};
        }
        means.push_back(*moments.mean);
        within = within and moments.variance ? std::optional(*within + d.weights[i] / total * *moments.variance)
                                             : std::nullopt;
    }
    const Moments between = weighted(means, d.weights);
    return {between.mean, within ? std::optional(*within + between.variance.value_or(0)) : std::nullopt};
}

enum class Tail : bool { lower, upper };  ///< P(X <= x), P(X > x)

/// Both tails have their own formulas: 1 - P loses all digits of the smaller one.
struct TailAt {
    Tail tail;
    double x;

    double operator()(const Constant& d) const { return (x >= d.value) == (tail == Tail::lower) ? 1 : 0; }
    double operator()(const Uniform& d) const {
        return std::clamp((tail == Tail::lower ? x - d.low : d.high - x) / (d.high - d.low), 0.0, 1.0);
    }
    double operator()(const Exponential& d) const {
        return of_positive(math::exponential_distribution<double, Policy>(1 / d.mean));
    }
    double operator()(const Normal& d) const {
        return of(math::normal_distribution<double, Policy>(d.mean, d.deviation), x);
    }
    double operator()(const Poisson& d) const {
        const double count = std::floor(x / d.unit);
        return count < 0 ? below_all() : of(math::poisson_distribution<double, Policy>(d.mean), count);
    }
    double operator()(const Pareto& d) const {
        return x <= d.scale ? below_all() : of(math::pareto_distribution<double, Policy>(d.scale, d.shape), x);
    }
    double operator()(const Cauchy& d) const {
        return of(math::cauchy_distribution<double, Policy>(d.location, d.scale), x);
    }
    double operator()(const Gamma& d) const {
        return of_positive(math::gamma_distribution<double, Policy>(d.shape, d.scale));
    }
    double operator()(const Weibull& d) const {
        return of_positive(math::weibull_distribution<double, Policy>(d.shape, d.scale));
    }
    double operator()(const LogNormal& d) const {
        return of_positive(math::lognormal_distribution<double, Policy>(std::log(d.median), d.sigma));
    }
    double operator()(const StudentT& d) const {
        return of(math::students_t_distribution<double, Policy>(d.degrees), (x - d.location) / d.scale);
    }
    double operator()(const Discrete& d) const { return of_weighted(d.values, d.weights); }
    double operator()(const FromFile& d) const { return of_weighted(d.values, {}); }
    double operator()(const Mixture& d) const {
        double total = 0;
        double sum = 0;
        for (std::size_t i = 0; i < d.components.size(); ++i) {
            total += d.weights[i];
            sum += d.weights[i] * std::visit(*this, d.components[i]);
        }
        return sum / total;
    }

private:
    [[nodiscard]] double below_all() const { return tail == Tail::lower ? 0 : 1; }
    template <typename Standard>
    [[nodiscard]] double of(const Standard& distribution, double at) const {
        return tail == Tail::lower ? math::cdf(distribution, at) : math::cdf(complement(distribution, at));
    }
    template <typename Standard>
    [[nodiscard]] double of_positive(const Standard& distribution) const {
        return x <= 0 ? below_all() : of(distribution, x);
    }
    [[nodiscard]] double of_weighted(const std::vector<double>& values, const std::vector<double>& weights) const {
        const double below = weighted_cdf(values, weights, x);
        return tail == Tail::lower ? below : 1 - below;
    }
};

}  // namespace

std::optional<double> mean(const Distribution& distribution) {
    return std::visit(MomentsOf{}, distribution).mean;
}

std::optional<double> deviation(const Distribution& distribution) {
    const auto variance = std::visit(MomentsOf{}, distribution).variance;
    return variance ? std::optional(std::sqrt(*variance)) : std::nullopt;
}

double cdf(const Distribution& distribution, double x) {
    return std::visit(TailAt{Tail::lower, x}, distribution);
}

double survival(const Distribution& distribution, double x) {
    return std::visit(TailAt{Tail::upper, x}, distribution);
}

}  // namespace groma
