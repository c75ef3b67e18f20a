#include "plots/gnuplot/dodge.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace groma {
namespace {

/// Curves with a bar at each of these places.
Picture picture_with(std::size_t curves, const std::vector<double>& places, AxisRange x, bool logarithmic) {
    Picture picture;
    picture.x_range = x;
    picture.log_x = logarithmic;
    for (std::size_t i = 0; i < curves; ++i) {
        Curve& curve = picture.curves.emplace_back();
        curve.pieces.emplace_back();
        for (const double place : places) {
            curve.pieces.front().push_back({place, 1});
            curve.bars.push_back({place, 0.5, 1.5});
        }
    }
    return picture;
}

TEST(Dodge, MovesBarsOfEachCurveByAnotherStepAroundTheirPlace) {
    const Picture picture = dodged(picture_with(3, {10, 20, 40}, {0, 50}, false));
    EXPECT_NEAR(picture.curves[0].bars[1].x, 20 - 0.6, 1e-9);  // 1.2 % of the axis
    EXPECT_NEAR(picture.curves[1].bars[1].x, 20, 1e-9);
    EXPECT_NEAR(picture.curves[2].bars[1].x, 20 + 0.6, 1e-9);
    for (const Curve& curve : picture.curves) {
        for (std::size_t i = 0; i < curve.bars.size(); ++i) {
            EXPECT_EQ(curve.pieces[0][i].x, curve.bars[i].x);
            EXPECT_EQ(curve.bars[i].low, 0.5);
        }
    }
}

TEST(Dodge, StaysNearerToItsPlaceThanToTheNext) {
    const Picture picture = dodged(picture_with(20, {10, 11, 40}, {0, 50}, false));
    EXPECT_LT(picture.curves.back().bars[0].x, 10.5);
    EXPECT_GT(picture.curves.front().bars[1].x, 10.5);
}

TEST(Dodge, IsEvenOnALogarithmicAxis) {
    const Picture picture = dodged(picture_with(2, {10, 1000, 1e6}, {1, 1e8}, true));
    const double ratio = picture.curves[1].bars[0].x / picture.curves[0].bars[0].x;
    EXPECT_GT(ratio, 1.1);
    EXPECT_NEAR(picture.curves[1].bars[2].x / picture.curves[0].bars[2].x, ratio, 1e-9);
    EXPECT_NEAR(std::sqrt(picture.curves[1].bars[2].x * picture.curves[0].bars[2].x), 1e6, 1e-3);
}

TEST(Dodge, LeavesWhatIsAlone) {
    const Picture one = dodged(picture_with(1, {10, 20}, {0, 50}, false));
    EXPECT_EQ(one.curves[0].bars[0].x, 10);
    Picture apart = picture_with(2, {10}, {0, 50}, false);
    apart.curves[1].bars[0].x = 20;
    EXPECT_EQ(dodged(apart).curves[0].bars[0].x, 10);
}

TEST(Dodge, MovesNoCurveWithoutBars) {
    Picture picture = picture_with(2, {10, 20}, {0, 50}, false);
    picture.curves.push_back({.name = "ideal", .pieces = {{{10, 1}, {20, 2}}}});
    EXPECT_EQ(dodged(picture).curves[2].pieces[0][0].x, 10);
}

}  // namespace
}  // namespace groma
