#include "common/model/distributions/log_density.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <variant>

namespace groma {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
// ln sqrt(2 pi)
const double kLogRootTwoPi = 0.5 * std::log(2 * std::numbers::pi);

struct LogDensityAt {
    double x;

    double operator()(const Uniform& d) const { return x < d.low or x > d.high ? kNever : -std::log(d.high - d.low); }
    double operator()(const Exponential& d) const { return x < 0 ? kNever : -std::log(d.mean) - x / d.mean; }
    double operator()(const Normal& d) const {
        const double z = (x - d.mean) / d.deviation;
        return -kLogRootTwoPi - std::log(d.deviation) - z * z / 2;
    }
    double operator()(const Poisson& d) const {
        const double count = std::round(x / d.unit);
        return count < 0 ? kNever : count * std::log(d.mean) - d.mean - std::lgamma(count + 1) - std::log(d.unit);
    }
    double operator()(const Pareto& d) const {
        return x < d.scale ? kNever : std::log(d.shape / x) - d.shape * std::log(x / d.scale);
    }
    double operator()(const Cauchy& d) const {
        const double z = (x - d.location) / d.scale;
        return -std::log(std::numbers::pi * d.scale) - std::log1p(z * z);
    }
    double operator()(const Gamma& d) const {
        if (x <= 0) {
            return kNever;
        }
        const double z = x / d.scale;
        return (d.shape - 1) * std::log(z) - z - std::lgamma(d.shape) - std::log(d.scale);
    }
    double operator()(const Weibull& d) const {
        if (x <= 0) {
            return kNever;
        }
        const double z = std::log(x / d.scale);
        return std::log(d.shape / x) + d.shape * z - std::exp(d.shape * z);
    }
    double operator()(const LogNormal& d) const {
        if (x <= 0) {
            return kNever;
        }
        const double z = std::log(x / d.median) / d.sigma;
        return -kLogRootTwoPi - std::log(d.sigma * x) - z * z / 2;
    }
    double operator()(const StudentT& d) const {
        const double z = (x - d.location) / d.scale;
        const double half = (d.degrees + 1) / 2;
        return std::lgamma(half) - std::lgamma(d.degrees / 2) - std::log(d.degrees * std::numbers::pi) / 2 -
               std::log(d.scale) - half * std::log1p(z * z / d.degrees);
    }
    template <typename WithoutDensity>
    double operator()(const WithoutDensity&) const {
        return std::numeric_limits<double>::quiet_NaN();
    }
};

}  // namespace

double log_density(const Distribution& distribution, double x) {
    return std::visit(LogDensityAt{x}, distribution);
}

}  // namespace groma
