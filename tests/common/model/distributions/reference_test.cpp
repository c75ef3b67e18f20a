#include "common/model/distributions/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "common/model/flow/schedule.hpp"
#include "tests/common/model/families.hpp"

namespace groma {
namespace {

TEST(Reference, MeansAreThoseOfTheTextbooks) {
    EXPECT_EQ(mean(parse_idt("const:1ms")), 1e6);
    EXPECT_EQ(mean(parse_idt("unif:1ms:3ms")), 2e6);
    EXPECT_EQ(mean(parse_idt("exp:1ms")), 1e6);
    EXPECT_EQ(mean(parse_idt("poisson:8ms")), 8e6);
    EXPECT_EQ(mean(parse_idt("pareto:2:1ms")), 2e6);
    EXPECT_EQ(mean(parse_idt("gamma:3:1ms")), 3e6);
    EXPECT_DOUBLE_EQ(*mean(parse_idt("weibull:2:1ms")), 1e6 * std::sqrt(M_PI) / 2);
    EXPECT_DOUBLE_EQ(*mean(parse_idt("lognormal:1ms:1")), 1e6 * std::exp(0.5));
    EXPECT_EQ(mean(parse_idt("student:3:1ms:1s")), 1e6);
    EXPECT_EQ(mean(parse_idt("discrete:1ms=3,5ms=1")), 2e6);
    EXPECT_EQ(mean(parse_idt("mix:1*(const:1ms)+3*(const:5ms)")), 4e6);
    EXPECT_EQ(mean(FromFile{"x", {1, 2, 6}}), 3);
}

TEST(Reference, AMeanThatDoesNotExistIsNotMadeUp) {
    EXPECT_EQ(mean(parse_idt("cauchy:1ms:1ms")), std::nullopt);
    EXPECT_EQ(mean(parse_idt("pareto:1:1ms")), std::nullopt);
    EXPECT_EQ(mean(parse_idt("student:1:1ms:1ms")), std::nullopt);
    EXPECT_EQ(mean(parse_idt("mix:1*(exp:1ms)+1*(cauchy:1ms:1ms)")), std::nullopt);
    EXPECT_EQ(deviation(parse_idt("pareto:2:1ms")), std::nullopt);
    EXPECT_EQ(deviation(parse_idt("student:2:1ms:1ms")), std::nullopt);
    EXPECT_EQ(deviation(parse_idt("mix:1*(exp:1ms)+1*(pareto:1.5:1ms)")), std::nullopt);
    EXPECT_EQ(mean(parse_idt("lognormal:1ms:100")), std::nullopt);
}

/// The integral of P(X > x) over x above 0, by the trapezoidal rule over logarithms.
double integral_of_survival(const Distribution& distribution) {
    constexpr double kStep = 1e-3;
    double sum = 0;
    for (double t = std::log(1.0); t < std::log(1e15); t += kStep) {
        sum += survival(distribution, std::exp(t)) * std::exp(t) * kStep;
    }
    return sum;
}

TEST(Reference, TheMeanFrom0OnIsThatOfDrawsOfWhichNegativeOnesAreRaised) {
    for (const std::string text :
         {"normal:1ms:1ms", "normal:1ms:10ms", "normal:1ms:0.1ms", "student:3:1ms:1ms", "student:2.2:1ms:50ms",
          "exp:1ms", "unif:1ms:3ms", "mix:1*(normal:1ms:2ms)+3*(const:5ms)"}) {
        const Distribution distribution = parse_idt(text);
        const double expected = integral_of_survival(distribution);
        EXPECT_NEAR(mean_from_0(distribution).value(), expected, 2e-3 * expected) << text;
        EXPECT_GE(mean_from_0(distribution).value(), mean(distribution).value()) << text;
    }
    EXPECT_NEAR(1e6 / *mean_from_0(parse_idt("normal:1ms:1ms")), 0.923, 0.0005);
    EXPECT_EQ(mean_from_0(parse_idt("cauchy:1ms:1ms")), std::nullopt);
    EXPECT_EQ(mean_from_0(parse_idt("student:1:1ms:1ms")), std::nullopt);
    EXPECT_EQ(mean_from_0(parse_idt("mix:1*(exp:1ms)+1*(cauchy:1ms:1ms)")), std::nullopt);
}

TEST(Reference, DeviationsAreThoseOfTheTextbooks) {
    EXPECT_EQ(deviation(parse_idt("const:1ms")), 0.0);
    EXPECT_EQ(deviation(parse_idt("normal:1ms:0.1ms")), 1e5);
    EXPECT_EQ(deviation(parse_idt("exp:1ms")), 1e6);
    EXPECT_DOUBLE_EQ(*deviation(parse_idt("unif:1ms:3ms")), 1e6 / std::sqrt(3.0));
    EXPECT_DOUBLE_EQ(*deviation(parse_idt("poisson:9ms")), 3e6);
    EXPECT_DOUBLE_EQ(*deviation(parse_idt("gamma:4:1ms")), 2e6);
    EXPECT_DOUBLE_EQ(*deviation(parse_idt("student:3:1ms:1ms")), std::sqrt(3.0) * 1e6);
    EXPECT_DOUBLE_EQ(*deviation(parse_idt("mix:1*(const:1ms)+1*(const:3ms)")), 1e6);
    EXPECT_DOUBLE_EQ(*deviation(parse_idt("pareto:3:2ms")), 2e6 * std::sqrt(3.0) / 2);
}

TEST(Reference, SurvivalIsTheComplementOfTheCdf) {
    std::vector<NamedDistribution> all = continuous_families();
    const std::vector<NamedDistribution> discrete = discrete_families();
    all.insert(all.end(), discrete.begin(), discrete.end());
    for (const auto& [text, distribution] : all) {
        for (double x = 1; x < 1e12; x *= 1.3) {
            EXPECT_NEAR(cdf(distribution, x) + survival(distribution, x), 1, 1e-12) << text << ' ' << x;
        }
    }
}

TEST(Reference, SurvivalIsExactFarOutInTheTail) {
    EXPECT_DOUBLE_EQ(survival(Exponential{10}, 1000), std::exp(-100.0));
    EXPECT_DOUBLE_EQ(survival(Weibull{2, 10}, 100), std::exp(-100.0));
    EXPECT_DOUBLE_EQ(survival(Pareto{2, 10}, 1e21), 1e-40);
    EXPECT_NEAR(survival(Gamma{1, 10}, 1000) / std::exp(-100.0), 1, 1e-10);
    EXPECT_NEAR(survival(Normal{0, 1}, 20) / (std::erfc(20 / std::sqrt(2.0)) / 2), 1, 1e-10);
    EXPECT_NEAR(survival(Cauchy{0, 1}, 1e20) * 1e20 * M_PI, 1, 1e-10);
}

TEST(Reference, ACdfRisesFromZeroToOne) {
    std::vector<NamedDistribution> all = continuous_families();
    const std::vector<NamedDistribution> discrete = discrete_families();
    all.insert(all.end(), discrete.begin(), discrete.end());
    for (const auto& [text, distribution] : all) {
        double last = 0;
        for (double x = -1e9; x <= 1e9; x += 1e6) {
            const double now = cdf(distribution, x);
            ASSERT_GE(now, last) << text << " at " << x;
            ASSERT_LE(now, 1.0) << text << " at " << x;
            last = now;
        }
        EXPECT_LT(cdf(distribution, -1e15), 1e-6) << text;
        EXPECT_GT(cdf(distribution, 1e18), 1 - 1e-6) << text;
    }
}

TEST(Reference, StepsAreClosedOnTheLeft) {
    EXPECT_EQ(cdf(Constant{5}, 4.999), 0);
    EXPECT_EQ(cdf(Constant{5}, 5), 1);
    EXPECT_EQ(cdf(Discrete{{1, 2}, {1, 3}}, 1), 0.25);
    EXPECT_EQ(cdf(FromFile{"x", {1, 1, 2, 4}}, 2), 0.75);
    EXPECT_DOUBLE_EQ(cdf(Poisson{2, 10}, 9.99), std::exp(-2.0));
    EXPECT_DOUBLE_EQ(cdf(Poisson{2, 10}, 10), 3 * std::exp(-2.0));
}

TEST(Reference, TheMeanGapOfAScheduleIsTheAnalyticMean) {
    constexpr std::uint64_t kPackets = 100'001;
    std::vector<NamedDistribution> all = continuous_families();
    const std::vector<NamedDistribution> discrete = discrete_families();
    all.insert(all.end(), discrete.begin(), discrete.end());
    all.push_back({"const:3000pps", parse_idt("const:3000pps")});
    int compared = 0;
    for (const auto& [text, distribution] : all) {
        const auto expected = mean(distribution);
        const auto spread = deviation(distribution);
        if (not expected or not spread) {
            continue;
        }
        FlowSpec spec;
        spec.id = FlowId{1};
        spec.idt = distribution;
        spec.stop.packets = kPackets;
        Schedule schedule(spec);
        Nanos last{0};
        while (const auto departure = schedule.next()) {
            last = departure->offset;
        }
        const double gaps = static_cast<double>(kPackets - 1);
        const double measured = static_cast<double>(last.count()) / gaps;
        // One percent, or four standard errors where the distribution is so wide that they are more.
        const double tolerance = std::max(0.01 * *expected, 4 * *spread / std::sqrt(gaps));
        EXPECT_NEAR(measured, *expected, tolerance) << text;
        ++compared;
    }
    EXPECT_GE(compared, 18);
}

}  // namespace
}  // namespace groma
