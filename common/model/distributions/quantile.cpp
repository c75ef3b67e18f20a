#include "common/model/distributions/quantile.hpp"

#include <algorithm>
#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/pareto.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <variant>
#include <vector>

#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

namespace math = boost::math;

using Policy = math::policies::policy<math::policies::overflow_error<math::policies::ignore_error>,
                                      math::policies::underflow_error<math::policies::ignore_error>,
                                      math::policies::evaluation_error<math::policies::ignore_error>>;

constexpr double kFarthest = std::numeric_limits<double>::max();

/// A probability by the side that it was given for.
struct Aim {
    double probability;
    bool above;

    [[nodiscard]] bool reached_at(const Distribution& distribution, double x) const {
        return above ? survival(distribution, x) <= probability : cdf(distribution, x) >= probability;
    }
};

double of_values(const std::vector<double>& values, const std::vector<double>& weights, const Aim& aim) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
    double total = 0;
    for (const std::size_t i : order) {
        total += weight(i);
    }
    const double below = (aim.above ? 1 - aim.probability : aim.probability) * total;
    double so_far = 0;
    for (const std::size_t i : order) {
        so_far += weight(i);
        if (so_far >= below) {
            return values[i];
        }
    }
    return values[order.back()];
}

/// By doubling and halving, for what has no closed form.
double by_bisection(const Distribution& distribution, const Aim& aim) {
    constexpr int kDoublings = 200;
    constexpr int kHalvings = 120;
    double high = 1;
    for (int i = 0; i < kDoublings and not aim.reached_at(distribution, high); ++i) {
        high *= 2;
    }
    double low = 0;
    for (int i = 0; i < kDoublings and aim.reached_at(distribution, low); ++i) {
        low = low == 0 ? -1 : low * 2;
    }
    for (int i = 0; i < kHalvings and high > low; ++i) {
        const double middle = low + (high - low) / 2;
        (aim.reached_at(distribution, middle) ? high : low) = middle;
    }
    return high;
}

struct QuantileOf {
    const Distribution& whole;
    Aim aim;

    double operator()(const Constant& d) const { return d.value; }
    double operator()(const Uniform& d) const {
        const double part = aim.probability * (d.high - d.low);
        return aim.above ? d.high - part : d.low + part;
    }
    double operator()(const Exponential& d) const {
        return -d.mean * (aim.above ? std::log(aim.probability) : std::log1p(-aim.probability));
    }
    double operator()(const Normal& d) const {
        return of(math::normal_distribution<double, Policy>(d.mean, d.deviation));
    }
    double operator()(const Poisson&) const { return by_bisection(whole, aim); }
    double operator()(const Pareto& d) const { return of(math::pareto_distribution<double, Policy>(d.scale, d.shape)); }
    double operator()(const Cauchy& d) const {
        return of(math::cauchy_distribution<double, Policy>(d.location, d.scale));
    }
    double operator()(const Gamma& d) const { return of(math::gamma_distribution<double, Policy>(d.shape, d.scale)); }
    double operator()(const Weibull& d) const {
        return of(math::weibull_distribution<double, Policy>(d.shape, d.scale));
    }
    double operator()(const LogNormal& d) const {
        return of(math::lognormal_distribution<double, Policy>(std::log(d.median), d.sigma));
    }
    double operator()(const StudentT& d) const {
        return d.location + d.scale * of(math::students_t_distribution<double, Policy>(d.degrees));
    }
    double operator()(const Discrete& d) const { return of_values(d.values, d.weights, aim); }
    double operator()(const FromFile& d) const { return of_values(d.values, {}, aim); }
    double operator()(const Mixture&) const { return by_bisection(whole, aim); }

private:
    template <typename Standard>
    [[nodiscard]] double of(const Standard& distribution) const {
        return aim.above ? math::quantile(complement(distribution, aim.probability))
                         : math::quantile(distribution, aim.probability);
    }
};

double found(const Distribution& distribution, const Aim& aim) {
    const double x = std::visit(QuantileOf{distribution, aim}, distribution);
    return std::clamp(x, -kFarthest, kFarthest);
}

}  // namespace

double quantile(const Distribution& distribution, double probability) {
    return found(distribution, {probability, false});
}

double upper_quantile(const Distribution& distribution, double probability) {
    return found(distribution, {probability, true});
}

}  // namespace groma
