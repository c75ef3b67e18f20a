#include "common/model/distributions/quantile.hpp"

#include <algorithm>
#include <limits>

namespace groma {

namespace {

constexpr double kFarthest = std::numeric_limits<double>::max();

/// By doubling and halving, for families without a closed form.
template <typename Family>
double by_bisection(const Family& family, Tail side, double probability) {
    constexpr int kDoublings = 200;
    constexpr int kHalvings = 120;
    const auto reached_at = [&](double x) {
        return side == Tail::upper ? family.tail(side, x) <= probability : family.tail(side, x) >= probability;
    };
    double high = 1;
    for (int i = 0; i < kDoublings and not reached_at(high); ++i) {
        high *= 2;
    }
    double low = 0;
    for (int i = 0; i < kDoublings and reached_at(low); ++i) {
        low = low == 0 ? -1 : low * 2;
    }
    for (int i = 0; i < kHalvings and high > low; ++i) {
        const double middle = low + (high - low) / 2;
        (reached_at(middle) ? high : low) = middle;
    }
    return high;
}

struct QuantileOf {
    Tail side;
    double probability;

    template <typename Family>
    double operator()(const Family& family) const {
        if constexpr (requires { family.quantile(side, probability); }) {
            return family.quantile(side, probability);
        } else {
            return by_bisection(family, side, probability);
        }
    }
};

}  // namespace

double quantile(const Distribution& distribution, double probability) {
    return std::clamp(std::visit(QuantileOf{Tail::lower, probability}, distribution), -kFarthest, kFarthest);
}

double upper_quantile(const Distribution& distribution, double probability) {
    return std::clamp(std::visit(QuantileOf{Tail::upper, probability}, distribution), -kFarthest, kFarthest);
}

}  // namespace groma
