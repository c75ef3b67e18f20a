#include "common/model/families/incomplete_gamma.hpp"

#include <algorithm>
#include <array>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "common/model/families/math_distribution.hpp"

namespace groma {

namespace {

constexpr double kLargeShape = 1000;
/// |eta| below which c0, c1 and c2 are taken from their series: their terms cancel near 0.
constexpr double kNear = 0.1;

// Coefficients of powers of eta in c0, c1, c2 [DLMF 8.12.12 and Temme 1979]: as many as 1e-12 of a tail needs.
constexpr std::array kSeries0{-1.0 / 3,   1.0 / 12,           -2.0 / 135,    1.0 / 864,
                              1.0 / 2835, -139.0 / 777'600.0, 1.0 / 25'515.0};
constexpr std::array kSeries1{-1.0 / 540, -1.0 / 288, 1.0 / 378, -77.0 / 77'760.0, 1.0 / 4860.0};
constexpr std::array kSeries2{25.0 / 6048, -139.0 / 51'840.0, 101.0 / 130'896.0};

template <std::size_t kTerms>
double polynomial(const std::array<double, kTerms>& coefficients, double x) {
    double sum = 0;
    for (auto term = coefficients.rbegin(); term != coefficients.rend(); ++term) {
        sum = sum * x + *term;
    }
    return sum;
}

/// c0 + c1 / shape + c2 / shape^2 with eta^2 / 2 = mu - ln(1 + mu) and x = shape (1 + mu) [DLMF 8.12.8 to 8.12.11].
double correction(double shape, double mu, double eta) {
    if (std::abs(eta) < kNear) {
        return polynomial(kSeries0, eta) + (polynomial(kSeries1, eta) + polynomial(kSeries2, eta) / shape) / shape;
    }
    const double m = 1 / mu;
    const double e = 1 / eta;
    const double c0 = m - e;
    const double c1 = e * e * e - m * (1.0 / 12 + m * (1 + m));
    const double c2 = m * (1.0 / 288 + m * (1.0 / 12 + m * (25.0 / 12 + m * (5 + m * 3)))) - 3 * e * e * e * e * e;
    return c0 + (c1 + c2 / shape) / shape;
}

double tail_by_terms(Tail side, double shape, double x) {
    return side == Tail::lower ? boost::math::gamma_p(shape, x, MathPolicy())
                               : boost::math::gamma_q(shape, x, MathPolicy());
}

/// [DLMF 8.12.3, 8.12.4]
double expanded_tail(Tail side, double shape, double x) {
    const double mu = (x - shape) / shape;
    const double half_eta_squared = -boost::math::log1pmx(mu, MathPolicy());
    const double eta = std::copysign(std::sqrt(2 * half_eta_squared), mu);
    const double exponent = shape * half_eta_squared;
    const double further = std::exp(-exponent) / std::sqrt(2 * std::numbers::pi * shape) * correction(shape, mu, eta);
    const double half_erfc = boost::math::erfc(std::sqrt(exponent), MathPolicy()) / 2;
    return std::max(side == Tail::upper ? half_erfc + further : half_erfc - further, 0.0);
}

}  // namespace

double gamma_tail(Tail side, double shape, double x) {
    if (x <= 0) {
        return tail_below_all(side);
    }
    if (std::isinf(x)) {
        return 1 - tail_below_all(side);
    }
    const Tail outer = x > shape ? Tail::upper : Tail::lower;
    const double tail = shape > kLargeShape ? expanded_tail(outer, shape, x) : tail_by_terms(outer, shape, x);
    return side == outer ? tail : 1 - tail;
}

}  // namespace groma
