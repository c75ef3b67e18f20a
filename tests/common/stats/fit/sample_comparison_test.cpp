#include "common/stats/fit/sample_comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/model/distributions/reference.hpp"
#include "common/model/distributions/sampler.hpp"
#include "common/stats/fidelity/gap_counts.hpp"
#include "tests/common/stats/fit/likeliest.hpp"

namespace groma {
namespace {

constexpr double kScaleNs = 1e6;

std::vector<std::int64_t> gaps_of(const Distribution& distribution, std::size_t count, std::uint64_t seed,
                                  double resolution = 1) {
    Sampler sampler(distribution, seed);
    std::vector<std::int64_t> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(std::llround(std::max(sampler.draw(), 0.0) / resolution) * static_cast<std::int64_t>(resolution));
    }
    return all;
}

double exact_ks(const Distribution& model, std::vector<std::int64_t> values) {
    std::ranges::sort(values);
    const double n = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double u = cdf(model, static_cast<double>(values[i]));
        distance = std::max({distance, static_cast<double>(i + 1) / n - u, u - static_cast<double>(i) / n});
    }
    return distance;
}

TEST(SampleComparison, AgreesWithTheCellsThatTheSenderCountsIn) {
    const Distribution asked = Gamma{2, kScaleNs};
    const auto gaps = gaps_of(Gamma{1.8, kScaleNs}, 20'000, 1);
    GapCounts counts(std::make_shared<const GapModel>(asked));
    for (const std::int64_t gap : gaps) {
        counts.add(gap);
    }
    PooledGaps pooled;
    pooled.add(counts);
    const DistributionFit sender = pooled.fit().value();
    const DistributionFit ours = compared(make_sample(gaps), asked, Rounding::twice, 0).value();
    EXPECT_NEAR(ours.lambda2, sender.lambda2, 0.05 * sender.lambda2);
    EXPECT_NEAR(ours.lambda2_error, sender.lambda2_error, 0.05 * sender.lambda2_error);
    EXPECT_NEAR(ours.ks, exact_ks(asked, gaps), 0.001);
    EXPECT_NEAR(ours.a2, sender.a2, 0.03 * sender.a2);
}

TEST(SampleComparison, FittedParametersTakeDegreesOfFreedomSoThatLambda2StaysAboutZero) {
    constexpr int kRuns = 150;
    constexpr std::size_t kValues = 2000;
    double with = 0;
    double without = 0;
    double error = 0;
    double squares = 0;
    for (int run = 0; run < kRuns; ++run) {
        const Sample sample = make_sample(gaps_of(Gamma{2, kScaleNs}, kValues, static_cast<std::uint64_t>(run)));
        const Distribution fitted = likeliest_gamma(sample).value();
        const DistributionFit fit = compared(sample, fitted, Rounding::twice, 2).value();
        with += fit.lambda2 / kRuns;
        squares += fit.lambda2 * fit.lambda2 / kRuns;
        error += fit.lambda2_error / kRuns;
        without += compared(sample, fitted, Rounding::twice, 0)->lambda2 / kRuns;
    }
    EXPECT_NEAR(with, 0, 4 * error / std::sqrt(kRuns) + 0.2 * error);
    EXPECT_NEAR(with - without, 2.0 / (kValues - 1), 1e-9);
    EXPECT_NEAR(std::sqrt(squares), error, 0.3 * error);
}

TEST(SampleComparison, TheErrorOfLambda2HasTheDegreesOfFreedomThatFittedParametersLeave) {
    const auto error = [](const Distribution& model, unsigned fitted) {
        const Sample sample = make_sample(gaps_of(Gamma{1.5, kScaleNs}, 20'000, 1));
        return compared(sample, model, Rounding::twice, fitted)->lambda2_error;
    };
    // sqrt(4 V / n - 4 df / n^2 + 2 df / n^2): two degrees less are 4 / n^2 more.
    const double apart = error(Gamma{2, kScaleNs}, 0);
    EXPECT_NEAR(error(Gamma{2, kScaleNs}, 2), std::sqrt(apart * apart + 4 / (20'000.0 * 20'000)), 1e-12);
    EXPECT_GT(error(Gamma{2, kScaleNs}, 2), apart);
}

TEST(SampleComparison, ACoarseClockIsNoMisfit) {
    // Microseconds, of gaps of 20 us: some thousandths of all gaps are of each value.
    for (const double resolution : {1.0, 1000.0}) {
        const Sample sample = make_sample(gaps_of(Exponential{20'000}, 20'000, 3, resolution), resolution);
        const DistributionFit fit = compared(sample, Exponential{20'000}, Rounding::once, 0).value();
        EXPECT_LT(std::abs(fit.lambda2), 4 * fit.lambda2_error) << resolution;
        EXPECT_LT(fit.ks, 2.0 / std::sqrt(20'000)) << resolution;
    }
}

TEST(SampleComparison, GapsBetweenInstantsThatWereBothRoundedAreComparedAsSuch) {
    // Two instants, each rounded down to microseconds.
    Sampler sampler(Normal{5000, 300}, 4);
    std::vector<std::int64_t> gaps;
    double at = 0;
    std::int64_t before = 0;
    for (int i = 0; i < 40'000; ++i) {
        at += sampler.draw();
        const std::int64_t now = static_cast<std::int64_t>(at / 1000) * 1000;
        gaps.push_back(now - before);
        before = now;
    }
    const Sample sample = make_sample(gaps, 1000);
    const DistributionFit right = compared(sample, Normal{5000, 300}, Rounding::twice, 0).value();
    const DistributionFit wrong = compared(sample, Normal{5000, 300}, Rounding::once, 0).value();
    EXPECT_LT(std::abs(right.lambda2), 4 * right.lambda2_error);
    EXPECT_GT(wrong.lambda2, 10 * wrong.lambda2_error);
}

TEST(SampleComparison, CountsOfPacketsCompareWithAPoissonDistribution) {
    const Sample sample = make_sample(gaps_of(Poisson{5, 1}, 20'000, 5));
    const DistributionFit fit = compared(sample, Poisson{5, 1}, Rounding::once, 0).value();
    EXPECT_LT(std::abs(fit.lambda2), 4 * fit.lambda2_error);
    EXPECT_GT(compared(sample, Poisson{5.5, 1}, Rounding::once, 0)->lambda2, 10 * fit.lambda2_error);
}

TEST(SampleComparison, ExpectationsAddUpToTheSample) {
    for (const Distribution& model : {Distribution(Cauchy{1000, 1e6}), Distribution(Normal{100, 500}),
                                      Distribution(Pareto{0.5, 10}), Distribution(StudentT{2, 100, 300})}) {
        const Sample sample = make_sample(gaps_of(Exponential{1000}, 1000, 6));
        double expected = 0;
        std::uint64_t counted = 0;
        for (const ComparedCell& cell : sample_cells(sample, model, Rounding::once)) {
            EXPECT_GE(cell.expected, 0);
            expected += cell.expected;
            counted += cell.counted;
        }
        EXPECT_NEAR(expected, 1000, 1e-6);
        EXPECT_EQ(counted, 1000U);
    }
}

TEST(SampleComparison, NeedsTwentyValuesAndAFreeBin) {
    EXPECT_FALSE(compared(make_sample(gaps_of(Exponential{1000}, 19, 1)), Exponential{1000}, Rounding::once, 0));
    EXPECT_TRUE(compared(make_sample(gaps_of(Exponential{1000}, 20, 1)), Exponential{1000}, Rounding::once, 2));
    EXPECT_FALSE(compared(make_sample(gaps_of(Exponential{1000}, 20, 1)), Exponential{1000}, Rounding::once, 3));
}

}  // namespace
}  // namespace groma
