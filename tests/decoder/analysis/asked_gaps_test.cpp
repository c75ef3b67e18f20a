#include "decoder/analysis/asked_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace groma {
namespace {

constexpr double kRarest = 0.5 / 20'000;

void expect_rising(const std::vector<GapPoint>& points) {
    for (std::size_t i = 1; i < points.size(); ++i) {
        EXPECT_GE(points[i].gap_ns, points[i - 1].gap_ns);
        EXPECT_GE(points[i].cdf, points[i - 1].cdf);
    }
}

TEST(AskedGaps, FollowTheExponentialDistributionFunction) {
    const auto points = asked_gaps(Exponential{1e6}, kRarest);
    expect_rising(points);
    ASSERT_GT(points.size(), 150U);
    for (const GapPoint& point : points) {
        EXPECT_NEAR(point.cdf, 1 - std::exp(-point.gap_ns / 1e6), 1e-4);
    }
}

TEST(AskedGaps, GoAsFarTowardsBothEndsAsThereAreGaps) {
    for (const double gaps : {100.0, 1e4, 1e6, 1e9}) {
        const auto points = asked_gaps(Exponential{1e6}, 0.5 / gaps);
        expect_rising(points);
        EXPECT_LE(points.front().cdf, std::max(1 / gaps, 0.0025));
        EXPECT_LE(1 - points.back().cdf, std::max(1 / gaps, 0.0025) * 1.001);
        EXPECT_GE(1 - points.back().cdf, std::min(0.499 / gaps, 0.00249));
        EXPECT_LT(points.size(), 250U);
        for (const GapPoint& point : points) {
            const double above = std::exp(-point.gap_ns / 1e6);
            EXPECT_NEAR((1 - point.cdf) / above, 1, 1e-4);
            EXPECT_NEAR(point.cdf / -std::expm1(-point.gap_ns / 1e6), 1, 1e-4);
        }
    }
}

TEST(AskedGaps, AConstantIsOneStep) {
    const auto points = asked_gaps(Constant{250'000}, kRarest);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_NEAR(points[0].gap_ns, 250'000, 1);
    EXPECT_EQ(points[0].cdf, 0);
    EXPECT_NEAR(points[1].gap_ns, 250'000, 1);
    EXPECT_EQ(points[1].cdf, 1);
}

TEST(AskedGaps, GapsOfZeroAreAStepAtZero) {
    const auto points = asked_gaps(Constant{0}, kRarest);
    ASSERT_EQ(points.size(), 2U);
    EXPECT_EQ(points[0].gap_ns, 0);
    EXPECT_EQ(points[1].gap_ns, 0);
    EXPECT_EQ(points[1].cdf, 1);
}

TEST(AskedGaps, DrawsBelowZeroBecomeZero) {
    const auto points = asked_gaps(Normal{0, 1e6}, kRarest);
    expect_rising(points);
    EXPECT_EQ(points.front().gap_ns, 0);
    EXPECT_EQ(points[1].gap_ns, 0);
    EXPECT_NEAR(points[1].cdf, 0.5, 0.01);
}

TEST(AskedGaps, TwoValuesAreTwoSteps) {
    const auto points = asked_gaps(Discrete{{1000, 9000}, {1, 3}}, kRarest);
    expect_rising(points);
    ASSERT_EQ(points.size(), 4U);
    EXPECT_NEAR(points[1].cdf, 0.25, 0.01);
    EXPECT_NEAR(points[2].gap_ns, 9000, 1);
    EXPECT_EQ(points[3].cdf, 1);
}

TEST(AskedGaps, HeavyTailsEnd) {
    const auto points = asked_gaps(Cauchy{1e6, 1e6}, kRarest);
    expect_rising(points);
    EXPECT_LT(points.back().gap_ns, 1e10);
}

}  // namespace
}  // namespace groma
