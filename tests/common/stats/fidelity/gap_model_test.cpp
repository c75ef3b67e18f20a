#include "common/stats/fidelity/gap_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "common/model/distributions/reference.hpp"
#include "common/stats/fidelity/gap_counts.hpp"

namespace groma {
namespace {

constexpr double kMillisecond = 1e6;

double sum(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

/// P(gap < edge) with both departures rounded, by Simpson's rule.
double shorter_than(const Distribution& idt, std::int64_t edge) {
    const double to = static_cast<double>(edge);
    return (cdf(idt, to - 1) + 4 * cdf(idt, to - 0.5) + cdf(idt, to)) / 6;
}

TEST(GapModel, ComparesContinuousDistributionsOnly) {
    EXPECT_TRUE(GapModel::fits(Exponential{kMillisecond}));
    EXPECT_TRUE(GapModel::fits(Normal{kMillisecond, 100'000}));
    EXPECT_TRUE(GapModel::fits(Mixture{{1, 1}, {Exponential{1000}, Uniform{10, 20}}}));
    EXPECT_FALSE(GapModel::fits(Constant{kMillisecond}));
    EXPECT_FALSE(GapModel::fits(Poisson{3, 1000}));
    EXPECT_FALSE(GapModel::fits(Discrete{{1, 2}, {1, 1}}));
    EXPECT_FALSE(GapModel::fits(FromFile{"gaps.txt", {1, 2, 3}}));
    EXPECT_FALSE(GapModel::fits(Mixture{{1, 1}, {Exponential{1000}, Constant{20}}}));
}

TEST(GapModel, DoesNotCompareWhatIsMostlyRaisedToZeroOrDrawnAgain) {
    EXPECT_TRUE(GapModel::fits(Normal{kMillisecond, kMillisecond}));
    EXPECT_TRUE(GapModel::fits(Cauchy{kMillisecond, 10'000}));
    EXPECT_FALSE(GapModel::fits(Normal{-kMillisecond, kMillisecond}));
    EXPECT_TRUE(GapModel::fits(Pareto{0.1, 1000}));
    EXPECT_FALSE(GapModel::fits(Pareto{0.01, 1000}));
}

TEST(GapModel, GapsOfZeroAreACellWithTheShortestOfTheOthers) {
    const Distribution idt = Normal{kMillisecond, kMillisecond};
    const GapModel model(idt);
    EXPECT_NEAR(model.probabilities().front(), cdf(idt, 0) + 1.0 / GapModel::kPlainCells, 1e-4);
    EXPECT_NEAR(sum(model.probabilities()), 1, 1e-12);
    EXPECT_EQ(model.cell(0), 0U);
    EXPECT_EQ(model.cell(3000), 0U) << "a moment later: 1/1024 of the gaps are above 0 and below 4 us";
    EXPECT_GT(model.cell(10'000), 0U);
    EXPECT_FALSE(model.too_narrow());
    double below = 0;
    for (std::size_t cell = 0; cell <= model.cell(2'000'000); ++cell) {
        below += model.probabilities()[cell];
    }
    EXPECT_NEAR(below, cdf(idt, 2'000'000), 2e-3);
}

TEST(GapModel, WhatIsDrawnAgainDoesNotCount) {
    const Distribution idt = Pareto{0.1, 1000};  // 1 of 36 draws is beyond 146 years
    const GapModel model(idt);
    EXPECT_NEAR(sum(model.probabilities()), 1, 1e-12);
    const double kept = cdf(idt, 0x1p62);
    EXPECT_LT(kept, 0.975);
    double below = 0;
    for (std::size_t cell = 0; cell < model.cell(1'000'000); ++cell) {
        below += model.probabilities()[cell];
    }
    EXPECT_NEAR(below, cdf(idt, 1'000'000) / kept, 2e-3);
}

TEST(GapModel, DrawsThatAreRaisedToZeroFitAndThoseThatAreDrawnAgainInsteadDoNot) {
    const Distribution idt = Normal{kMillisecond, kMillisecond};
    const auto model = std::make_shared<GapModel>(idt);
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal(kMillisecond, kMillisecond);
    std::uniform_int_distribution<std::int64_t> moment(0, 2000);
    PooledGaps raised;
    PooledGaps drawn_again;
    GapCounts as_sent(model);
    GapCounts positive(model);
    for (int i = 0; i < 50'000; ++i) {
        const double draw = normal(random);
        as_sent.add(draw > 0 ? std::llround(draw) : moment(random));
        if (draw > 0) {
            positive.add(std::llround(draw));
        }
    }
    raised.add(as_sent);
    drawn_again.add(positive);
    const DistributionFit fit = raised.fit().value();
    EXPECT_LT(std::abs(fit.lambda2), 3 * fit.lambda2_error);
    EXPECT_LT(fit.a2, 3.9);
    EXPECT_GT(drawn_again.fit()->lambda2, 0.1);
}

TEST(GapModel, ItsCellsHoldTheProbabilityThatTheDistributionGivesThem) {
    for (const Distribution& idt : {Distribution(Exponential{kMillisecond}), Distribution(Exponential{700}),
                                    Distribution(Pareto{1.2, 1000}), Distribution(Normal{kMillisecond, 500})}) {
        const GapModel model(idt);
        EXPECT_EQ(model.probabilities().size(), GapModel::kCells);
        EXPECT_NEAR(sum(model.probabilities()), 1, 1e-12);
        std::size_t before = 0;
        double below = 0;
        for (std::int64_t gap = 1; gap < 4'000'000; gap += 1 + gap / 1000) {
            const std::size_t cell = model.cell(gap);
            ASSERT_GE(cell, before);
            for (; before < cell; ++before) {
                below += model.probabilities()[before];
            }
            // The gap lies in its cell: not below its lower edge, not beyond its upper one.
            EXPECT_LE(below, shorter_than(idt, gap) + 1e-9);
            EXPECT_GE(below + model.probabilities()[cell], shorter_than(idt, gap + 1) - 1e-9);
        }
    }
}

TEST(GapModel, CellsAreOfAboutEqualProbabilityWhereTheClockAllowsIt) {
    const GapModel model(Exponential{kMillisecond});
    for (std::size_t cell = GapModel::kTailCells + 1; cell < GapModel::kCells - GapModel::kTailCells - 1; ++cell) {
        EXPECT_NEAR(model.probabilities()[cell] * GapModel::kPlainCells, 1, 0.05) << cell;
    }
}

TEST(GapModel, EveryGapHasACell) {
    const GapModel model(Exponential{kMillisecond});
    EXPECT_EQ(model.cell(-5), 0U);
    EXPECT_EQ(model.cell(0), 0U);
    EXPECT_EQ(model.cell(std::int64_t{1} << 62), GapModel::kCells - 1);
    EXPECT_EQ(model.cell(std::numeric_limits<std::int64_t>::max()), GapModel::kCells - 1);
}

/// P(X <= x) of a normal distribution around 1 ms, not by Boost.
long double normal_cdf(long double x, long double deviation) {
    return std::erfc(-(x - 1e6L) / deviation / std::sqrt(2.0L)) / 2;
}

TEST(GapModel, ProbabilitiesOfSingleNanosecondsAreThoseOfRoundedDepartures) {
    for (const double deviation : {2.0, 5.0, 30.0}) {
        const GapModel model(Normal{kMillisecond, deviation});
        for (std::int64_t gap = 1'000'000 - 30; gap <= 1'000'030; ++gap) {
            const std::size_t cell = model.cell(gap);
            if (not model.is_one_ns(cell)) {
                continue;
            }
            // A slow sum over where the first departure of the gap lies within its nanosecond.
            constexpr int kSteps = 2000;
            long double sum = 0;
            for (int i = 0; i < kSteps; ++i) {
                const long double at = static_cast<long double>(gap) + (i + 0.5L) / kSteps;
                sum += (normal_cdf(at, deviation) - normal_cdf(at - 1, deviation)) / kSteps;
            }
            EXPECT_NEAR(model.probabilities()[cell], static_cast<double>(sum), 5e-8 + 1e-5 * static_cast<double>(sum))
                << gap;
        }
    }
}

TEST(GapModel, NoCellIsFinerThanTheClockAndAllOfThemAddUpToOne) {
    for (const Distribution& idt : {Distribution(Normal{kMillisecond, 3}), Distribution(Uniform{100, 110}),
                                    Distribution(Exponential{20}), Distribution(Pareto{20, 1000})}) {
        const GapModel model(idt);
        EXPECT_NEAR(sum(model.probabilities()), 1, 1e-12);
        std::size_t filled = 0;
        for (const double p : model.probabilities()) {
            EXPECT_GE(p, 0);
            filled += p > 0 ? 1U : 0U;
        }
        EXPECT_LT(filled, 1000U);
        EXPECT_GT(filled, 4U);
    }
}

TEST(GapModel, TheUpperTailIsAsExactAsTheLowerOne) {
    const GapModel model(Exponential{kMillisecond});
    for (std::size_t halvings = 1; halvings < GapModel::kTailCells; ++halvings) {
        const double aimed = std::ldexp(1.0 / GapModel::kPlainCells, -static_cast<int>(halvings) - 1);
        EXPECT_NEAR(model.probabilities()[GapModel::kCells - GapModel::kTailCells - 1 + halvings] / aimed, 1, 0.05)
            << halvings;
    }
    EXPECT_NEAR(model.probabilities().back() / 0x1p-40, 1, 0.05);
}

TEST(GapModels, FlowsOfOneDistributionShareTheirModel) {
    FlowSpec a;
    a.idt = Exponential{kMillisecond};
    FlowSpec b = a;
    b.id = FlowId{2};
    FlowSpec other;
    other.idt = Exponential{2 * kMillisecond};
    GapModels models;
    EXPECT_NE(models.of(a).model, nullptr);
    EXPECT_EQ(models.of(a).model, models.of(b).model);
    EXPECT_NE(models.of(a).model, models.of(other).model);
}

TEST(GapModels, ConstantGapsHaveNone) {
    FlowSpec flow;
    flow.idt = Constant{kMillisecond};
    GapModels models;
    EXPECT_EQ(models.of(flow).model, nullptr);
}

TEST(GapModels, OfARateOverTimeThereIsNone) {
    FlowSpec flow;
    flow.idt = Exponential{kMillisecond};
    flow.rate_over_time = RateOverTime::parse("ramp:1pps:1kpps:1s");
    GapModels models;
    EXPECT_EQ(models.of(flow).model, nullptr);
    EXPECT_FALSE(models.of(flow).none);
}

TEST(GapModels, OfOnOffPeriodsAreThoseOfTheGapsLessOffTime) {
    FlowSpec flow;
    flow.name = "flow";
    flow.target.host = "beta";
    flow.stop.packets = 10;
    flow.idt = Exponential{kMillisecond};
    GapModels models;
    const AskedGaps always_on = models.of(flow);
    EXPECT_EQ(always_on.off_times, nullptr);
    flow.on_off = OnOff{Constant{1e9}, Constant{1e9}};
    const AskedGaps asked = models.of(flow);
    EXPECT_EQ(asked.model, always_on.model);
    EXPECT_NE(asked.off_times, nullptr);
    flow.lateness = LatenessPolicy::skip;
    EXPECT_EQ(models.of(flow).model, nullptr) << "which departures packets are is unknown";
    flow.lateness = LatenessPolicy::catch_up;
    flow.on_off = OnOff{Constant{0}, Constant{1e9}};
    EXPECT_EQ(models.of(flow).model, nullptr) << "no valid flow";
}

TEST(GapModels, AreNotMadeWithoutEnd) {
    GapModels models;
    FlowSpec flow;
    for (std::size_t i = 0; i < GapModels::kMost; ++i) {
        flow.idt = Uniform{1000, 2000 + static_cast<double>(i)};
        ASSERT_NE(models.of(flow).model, nullptr);
    }
    flow.idt = Uniform{1, 3};
    EXPECT_EQ(models.of(flow).model, nullptr);
    flow.idt = Uniform{1000, 2000};
    EXPECT_NE(models.of(flow).model, nullptr);
}

TEST(GapModels, OfMixturesAreFewerTheMoreComponentsTheyHave) {
    constexpr std::size_t kEach = kMaxMixtureComponents;
    GapModels models;
    FlowSpec flow;
    const auto mixture = [](std::size_t i) {
        const double low = 1000 + static_cast<double>(i);
        return Mixture{std::vector<double>(kEach, 1), std::vector<SimpleDistribution>(kEach, Uniform{low, 9000})};
    };
    for (std::size_t i = 0; i < GapModels::kMostComponents / kEach; ++i) {
        flow.idt = mixture(i);
        ASSERT_NE(models.of(flow).model, nullptr);
    }
    flow.idt = mixture(GapModels::kMostComponents / kEach);
    EXPECT_EQ(models.of(flow).model, nullptr);
    flow.idt = mixture(0);
    EXPECT_NE(models.of(flow).model, nullptr);
    flow.idt = Exponential{kMillisecond};
    EXPECT_NE(models.of(flow).model, nullptr) << "there is room for it";
}

TEST(GapCounts, CountTheSameWhetherTheyAreFewOrMany) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{kMillisecond}));
    GapCounts one_by_one(model);
    GapCounts at_once(model);
    std::vector<std::uint64_t> expected(GapModel::kCells);
    EXPECT_TRUE(one_by_one.cells().empty());
    for (std::size_t i = 0; i < 5000; ++i) {
        const auto gap = static_cast<std::int64_t>(i * 731);
        one_by_one.add(gap);
        at_once.add_to_cell(model->cell(gap), 1);
        ++expected[model->cell(gap)];
        if (i == 100 or i == 1024 or i == 4999) {
            EXPECT_EQ(one_by_one.cells(), expected);
            EXPECT_EQ(at_once.cells(), expected);
        }
    }
}

}  // namespace
}  // namespace groma
