// Boost.Math's distributions for the sources of families.
#pragma once

#include <boost/math/policies/policy.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "common/model/families/family.hpp"

namespace groma {

/// Results that overflow are infinities, not exceptions. Computed as double, not as long double, which would cost ten
/// times as much for the last digits: what is left is exact to some 1e-13.
using MathPolicy =
    boost::math::policies::policy<boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::underflow_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
                                  boost::math::policies::promote_double<false>>;

template <typename Standard>
[[nodiscard]] double tail_of(const Standard& distribution, Tail side, double x) {
    return side == Tail::lower ? cdf(distribution, x) : cdf(complement(distribution, x));
}

template <typename Standard>
[[nodiscard]] double quantile_of(const Standard& distribution, Tail side, double probability) {
    return side == Tail::lower ? quantile(distribution, probability) : quantile(complement(distribution, probability));
}

/// The tail at an x below all values.
[[nodiscard]] constexpr double tail_below_all(Tail side) {
    return side == Tail::lower ? 0 : 1;
}

/// For a distribution of values above 0.
template <typename Standard>
[[nodiscard]] double positive_tail_of(const Standard& distribution, Tail side, double x) {
    return x <= 0 ? tail_below_all(side) : tail_of(distribution, side, x);
}

[[nodiscard]] inline std::optional<double> if_finite(double value) {
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The logarithm of a density that is 0.
inline constexpr double kNever = -std::numeric_limits<double>::infinity();
/// ln sqrt(2 pi)
inline const double kLogRootTwoPi = 0.5 * std::log(2 * std::numbers::pi);

}  // namespace groma
