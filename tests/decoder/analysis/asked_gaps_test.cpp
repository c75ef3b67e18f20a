#include "decoder/analysis/asked_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace groma {
namespace {

constexpr double kRarest = 0.5 / 20'000;

void expect_rising(const std::vector<CdfPoint>& points) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_GE(points[i].value, points[i - 1].value);
        EXPECT_GE(points[i].share, points[i - 1].share);
    }
}

TEST(AskedGaps, FollowTheExponentialDistributionFunction) {
    const auto points = asked_gaps(Exponential{1e6}, kRarest);
    expect_rising(points);
    ASSERT_GT(points.size(), 150U);
    for (const CdfPoint& point : points) {
        EXPECT_NEAR(point.share, 1 - std::exp(-point.value / 1e6), 1e-4);
    }
}

TEST(AskedGaps, GoAsFarTowardsBothEndsAsThereAreGaps) {
    for (const double gaps : {100.0, 1e4, 1e6, 1e9}) {
        const auto points = asked_gaps(Exponential{1e6}, 0.5 / gaps);
        expect_rising(points);
        EXPECT_LE(points.front().share, std::max(1 / gaps, 0.0025));
        EXPECT_LE(1 - points.back().share, std::max(1 / gaps, 0.0025) * 1.001);
        EXPECT_GE(1 - points.back().share, std::min(0.499 / gaps, 0.00249));
        EXPECT_LT(points.size(), 250U);
        for (const CdfPoint& point : points) {
            const double above = std::exp(-point.value / 1e6);
            EXPECT_NEAR((1 - point.share) / above, 1, 1e-4);
            EXPECT_NEAR(point.share / -std::expm1(-point.value / 1e6), 1, 1e-4);
        }
    }
}

TEST(AskedGaps, AConstantIsOneStep) {
    const auto points = asked_gaps(Constant{250'000}, kRarest);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_NEAR(points[0].value, 250'000, 1);
    EXPECT_EQ(points[0].share, 0);
    EXPECT_NEAR(points[1].value, 250'000, 1);
    EXPECT_EQ(points[1].share, 1);
}

TEST(AskedGaps, GapsOfZeroAreAStepAtZero) {
    const auto points = asked_gaps(Constant{0}, kRarest);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].value, 0);
    EXPECT_EQ(points[1].value, 0);
    EXPECT_EQ(points[1].share, 1);
}

TEST(AskedGaps, DrawsBelowZeroBecomeZero) {
    const auto points = asked_gaps(Normal{0, 1e6}, kRarest);
    expect_rising(points);
    EXPECT_EQ(points.front().value, 0);
    EXPECT_EQ(points[1].value, 0);
    EXPECT_NEAR(points[1].share, 0.5, 0.01);
}

TEST(AskedGaps, TwoValuesAreTwoSteps) {
    const auto points = asked_gaps(Discrete{{1000, 9000}, {1, 3}}, kRarest);
    expect_rising(points);
    ASSERT_EQ(points.size(), 4U);
    EXPECT_NEAR(points[1].share, 0.25, 0.01);
    EXPECT_NEAR(points[2].value, 9000, 1);
    EXPECT_EQ(points[3].share, 1);
}

TEST(AskedGaps, GapsBelowTheSmallestDoubleAreZero) {
    for (const Distribution& idt :
         {Distribution(Weibull{0.01, 1000}), Distribution(Weibull{0.01, 1e-3}), Distribution(LogNormal{1, 100}),
          Distribution(LogNormal{5e-324, 1}), Distribution(LogNormal{1e6, 300}), Distribution(Gamma{0.01, 1e8})}) {
        const auto points = asked_gaps(idt, kRarest);
        expect_rising(points);
        EXPECT_EQ(points.front().value, 0) << idt.index();
        for (const CdfPoint& point : points) {
            EXPECT_TRUE(point.value == 0 or point.value >= 1e-6) << idt.index();
        }
    }
    EXPECT_EQ(asked_gaps(LogNormal{5e-324, 1}, kRarest), asked_gaps(Constant{0}, kRarest));
}

TEST(AskedGaps, GapsBelowANanosecondKeepTheirPrecision) {
    for (const CdfPoint& point : asked_gaps(Exponential{0.01}, kRarest)) {
        EXPECT_NEAR(point.share, 1 - std::exp(-point.value / 0.01), 1e-4);
    }
}

TEST(AskedGaps, HeavyTailsEnd) {
    const auto points = asked_gaps(Cauchy{1e6, 1e6}, kRarest);
    expect_rising(points);
    EXPECT_LT(points.back().value, 1e10);
}

}  // namespace
}  // namespace groma
