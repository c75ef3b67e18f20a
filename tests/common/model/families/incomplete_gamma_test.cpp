#include "common/model/families/incomplete_gamma.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "common/model/distributions/quantile.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {
namespace {

struct KnownTails {
    double shape;
    double x;
    double lower;
    double upper;
};

TEST(IncompleteGamma, HasItsKnownValues) {
    // To 17 digits, from sums of the series DLMF 8.11.4 and the continued fraction DLMF 8.9.2 with 40 digits.
    constexpr KnownTails kKnown[] = {
        {0.5, 0.25, 0.52049987781304654, 0.47950012218695346},
        {5, 12, 0.992399609318933, 0.0076003906810669955},
        {999, 800, 6.9031591102831153e-12, 0.99999999999309684},
        {1001, 1001, 0.50420314311055575, 0.49579685688944425},
        {1001, 850, 2.5095249008467371e-7, 0.99999974904750992},
        {1500, 1900, 1.0, 7.2038979191396663e-22},
        {1e4, 9700, 0.001234175584468492, 0.99876582441553151},
        {1e5, 100'030, 0.53820512985449016, 0.46179487014550984},
        {1e6, 1'004'600, 0.99999781853106421, 2.1814689357942109e-6},
        {1e6, 994'000, 9.1789002623020234e-10, 0.99999999908210997},
        {8.4e6, 8.38e6, 2.4921128530548967e-12, 0.99999999999750789},
        {1e9, 1'000'189'736, 1.0 - 9.8895847083130535e-10, 9.8895847083130535e-10},
    };
    for (const KnownTails& known : kKnown) {
        EXPECT_NEAR(gamma_tail(Tail::lower, known.shape, known.x) / known.lower, 1, 1e-12) << known.shape;
        EXPECT_NEAR(gamma_tail(Tail::upper, known.shape, known.x) / known.upper, 1, 1e-12) << known.shape;
    }
}

TEST(IncompleteGamma, HasNoStepWhereTheExpansionBegins) {
    for (const double deviations : {-15, -8, -4, -3, -1, 0, 1, 3, 4, 8, 30}) {
        const double x = 1000 + deviations * std::sqrt(1000.0);
        for (const Tail side : {Tail::lower, Tail::upper}) {
            const double below = gamma_tail(side, 1000, x);
            const double above = gamma_tail(side, std::nextafter(1000.0, 2000.0), x);
            EXPECT_NEAR(above / below, 1, 1e-11) << deviations;
        }
    }
}

TEST(IncompleteGamma, OfTheLargestShapesHasEnds) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    for (const double shape : {0.01, 1.0, 1000.0, 1001.0, 1e6, 1e9}) {
        for (const double x : {0.0, 5e-324}) {
            EXPECT_NEAR(gamma_tail(Tail::lower, shape, x), 0, 0.001) << shape;
            EXPECT_NEAR(gamma_tail(Tail::upper, shape, x), 1, 0.001) << shape;
        }
        for (const double x : {1e300, kInfinity}) {
            EXPECT_EQ(gamma_tail(Tail::lower, shape, x), 1) << shape;
            EXPECT_EQ(gamma_tail(Tail::upper, shape, x), 0) << shape;
        }
    }
}

TEST(Poisson, ThousandQuantilesOfTheLargestMeansEnd) {
    for (const double mean : {1e-9, 0.3, 5.0, 999.5, 8.4e6, 1e9}) {
        const Distribution poisson = Poisson{mean, 0.1};
        for (int i = 1; i < 1000; ++i) {
            const double lower = quantile(poisson, i / 1000.0);
            EXPECT_GE(cdf(poisson, lower), i / 1000.0);
            EXPECT_LT(cdf(poisson, lower - 0.1), i / 1000.0);
            const double upper = upper_quantile(poisson, std::ldexp(0.5, -i / 10));
            EXPECT_LE(survival(poisson, upper), std::ldexp(0.5, -i / 10));
            EXPECT_GT(survival(poisson, upper - 0.1), std::ldexp(0.5, -i / 10));
        }
    }
}

TEST(Poisson, CountsAMultipleOfItsUnitThatARoundedQuotientWouldMiss) {
    for (int count = 0; count < 1000; ++count) {
        const double unit = 0.1;
        EXPECT_EQ(cdf(Poisson{500, unit}, count * unit), cdf(Poisson{500, 1}, count)) << count;
    }
}

TEST(Poisson, HasItsKnownProbabilities) {
    EXPECT_NEAR(cdf(Poisson{5, 1}, 4), 0.44049328506521257, 1e-14);       // 65.375 exp(-5)
    EXPECT_NEAR(survival(Poisson{5, 1}, 5), 0.38403934516693683, 1e-14);  // 1 - 91.41667 exp(-5)
    EXPECT_NEAR(survival(Poisson{1e6, 1}, 1e6), 0.4997340, 1e-7);         // 1/2 - (2/3)/sqrt(2 pi 1e6)
}

}  // namespace
}  // namespace groma
