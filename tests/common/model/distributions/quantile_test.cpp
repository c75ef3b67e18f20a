#include "common/model/distributions/quantile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "common/model/distributions/log_density.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {
namespace {

const std::vector<Distribution>& continuous() {
    static const std::vector<Distribution> all{
        Uniform{500, 1500}, Exponential{1000},  Normal{1000, 100},       Pareto{1.5, 300},
        Gamma{0.5, 2000},   Weibull{1.5, 1000}, LogNormal{1000, 1},      StudentT{4, 1000, 10},
        Cauchy{1000, 100},  Gamma{40, 10},      StudentT{0.7, 1000, 10}, Weibull{0.4, 1000},
    };
    return all;
}

TEST(Quantile, IsTheInverseOfTheDistributionFunction) {
    for (const Distribution& distribution : continuous()) {
        for (const double p : {1e-6, 0.01, 0.3, 0.5, 0.9, 0.999}) {
            EXPECT_NEAR(cdf(distribution, quantile(distribution, p)), p, 1e-9 * p + 1e-12) << distribution.index();
            EXPECT_NEAR(survival(distribution, upper_quantile(distribution, p)), p, 1e-9 * p + 1e-12)
                << distribution.index();
        }
    }
    const Distribution mixture = Mixture{{1, 3}, {Exponential{100}, Normal{5000, 50}}};
    for (const double p : {0.01, 0.2, 0.3, 0.9}) {
        EXPECT_NEAR(cdf(mixture, quantile(mixture, p)), p, 1e-9);
    }
}

TEST(Quantile, OfStepsIsTheValueWhereTheyReachTheProbability) {
    const Distribution discrete = Discrete{{594, 64, 1518}, {4, 7, 1}};
    EXPECT_EQ(quantile(discrete, 0.5), 64);
    EXPECT_EQ(quantile(discrete, 0.6), 594);
    EXPECT_EQ(quantile(discrete, 0.99), 1518);
    EXPECT_EQ(quantile(Constant{5}, 0.3), 5);
    EXPECT_NEAR(quantile(Poisson{5, 1}, 0.5), 5, 1e-9);  // P(X <= 4) = 0.44, P(X <= 5) = 0.62
    EXPECT_EQ(quantile(FromFile{"f", {3, 1, 2}}, 0.5), 2);
}

TEST(Quantile, OfTheRarestIsFinite) {
    for (const Distribution& distribution : continuous()) {
        EXPECT_TRUE(std::isfinite(quantile(distribution, 1e-12))) << distribution.index();
        EXPECT_TRUE(std::isfinite(upper_quantile(distribution, 1e-12))) << distribution.index();
    }
    EXPECT_TRUE(std::isfinite(upper_quantile(Pareto{0.01, 1}, 1e-12)));
}

TEST(LogDensity, IsTheSlopeOfTheDistributionFunction) {
    for (const Distribution& distribution : continuous()) {
        for (const double p : {0.05, 0.3, 0.7, 0.95}) {
            const double x = quantile(distribution, p);
            const double step = 1e-4 * x;
            const double slope = (cdf(distribution, x + step) - cdf(distribution, x - step)) / (2 * step);
            EXPECT_NEAR(std::exp(log_density(distribution, x)) / slope, 1, 2e-4) << distribution.index() << ' ' << p;
        }
    }
}

TEST(LogDensity, OfAPoissonNumberIsItsProbability) {
    for (int k = 0; k < 12; ++k) {
        const double probability = cdf(Poisson{5, 2}, 2.0 * k) - (k == 0 ? 0 : cdf(Poisson{5, 2}, 2.0 * (k - 1)));
        EXPECT_NEAR(2 * std::exp(log_density(Poisson{5, 2}, 2.0 * k)), probability, 1e-12);
    }
}

TEST(LogDensity, IsMinusInfinityWhereThereIsNothing) {
    const double never = -std::numeric_limits<double>::infinity();
    EXPECT_EQ(log_density(Uniform{1, 2}, 3), never);
    EXPECT_EQ(log_density(Pareto{1, 5}, 4), never);
    EXPECT_EQ(log_density(Gamma{2, 1}, 0), never);
    EXPECT_TRUE(std::isnan(log_density(Constant{1}, 1)));
}

}  // namespace
}  // namespace groma
