#include "plots/gnuplot/reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace groma {
namespace {

Picture picture_of(std::vector<PicturePoint> points, AxisRange x, AxisRange y) {
    Picture picture;
    picture.x_label = "time";
    picture.x_range = x;
    picture.y_range = y;
    picture.curves = {{"a", 0, Stroke::solid, true, {std::move(points)}}};
    return picture;
}

/// One point for each second of a day: the value repeats after seven.
std::vector<PicturePoint> day() {
    std::vector<PicturePoint> points;
    points.reserve(86'400);
    for (int i = 0; i < 86'400; ++i) {
        points.push_back({static_cast<double>(i), static_cast<double>(i % 7)});
    }
    return points;
}

TEST(Reduction, LeavesWhatIsNotCrowdedAsItIs) {
    std::vector<PicturePoint> points;
    points.reserve(1000);
    for (int i = 0; i < 1000; ++i) {
        points.push_back({static_cast<double>(i), std::sin(i)});
    }
    const Picture picture = reduced(picture_of(points, {0, 1000}, {-1, 1}));
    EXPECT_EQ(picture.curves[0].pieces[0], points);
    EXPECT_TRUE(picture.bands.empty());
    EXPECT_EQ(picture.x_label, "time");
}

TEST(Reduction, ShowsMediansAndExtremesOfADay) {
    const Picture picture = reduced(picture_of(day(), {0, 86'400}, {0, 7}));
    const auto& line = picture.curves[0].pieces[0];
    EXPECT_LE(line.size(), kColumns + 1);
    EXPECT_GE(line.size(), kColumns);
    // 180 values a column, 25 or 26 of each number from 0 to 6: the median is 3.
    EXPECT_TRUE(std::ranges::all_of(line, [](const PicturePoint& point) { return point.y == 3; }));
    ASSERT_EQ(picture.bands.size(), 1U);
    for (const BandPoint& point : picture.bands[0].pieces[0]) {
        EXPECT_EQ(point.low, 0);
        EXPECT_EQ(point.high, 6);
    }
    EXPECT_NE(picture.x_label.find("medians of 1/480 of the axis each, areas: their extremes"), std::string::npos);
}

TEST(Reduction, KeepsASingleSpikeAmongMillions) {
    std::vector<PicturePoint> points(3'000'000);
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = {static_cast<double>(i), i % 2 == 0 ? 1.0 : 2.0};
    }
    points[1'234'567].y = 100;
    const Picture picture = reduced(picture_of(std::move(points), {0, 3e6}, {0, 100}));
    double highest = 0;
    for (const BandPoint& point : picture.bands.at(0).pieces[0]) {
        highest = std::max(highest, point.high);
    }
    EXPECT_EQ(highest, 100);
}

TEST(Reduction, SaysThatExtremesOfManyCurvesAreLeftOut) {
    Picture picture = picture_of(day(), {0, 86'400}, {0, 7});
    for (std::size_t i = 1; i <= kMostExtremes; ++i) {
        picture.curves.push_back(picture.curves[0]);
    }
    picture = reduced(std::move(picture));
    EXPECT_TRUE(picture.bands.empty());
    EXPECT_TRUE(picture.x_label.ends_with("lines: medians of 1/480 of the axis each"));
}

TEST(Reduction, OfADistributionFunctionKeepsFirstAndLastOfEachColumn) {
    std::vector<PicturePoint> points;
    for (int i = 0; i <= 100'000; ++i) {
        points.push_back({1.0 + i, i / 100'000.0});
    }
    Picture picture = picture_of(points, {1, 100'001}, {0, 1});
    picture.log_x = true;
    picture = reduced(std::move(picture));
    const auto& line = picture.curves[0].pieces[0];
    EXPECT_LE(line.size(), 2 * (kColumns + 1));
    EXPECT_EQ(line.front(), points.front());
    EXPECT_EQ(line.back(), points.back());
    // Each point is one of the function's: nothing was averaged.
    EXPECT_TRUE(
        std::ranges::all_of(line, [](const PicturePoint& p) { return std::abs((p.x - 1) / 1e5 - p.y) < 1e-9; }));
    EXPECT_EQ(picture.x_label, "time");
}

TEST(Reduction, OfDotsLeavesOneForEachPlace) {
    Picture picture = picture_of({}, {0, 1}, {0, 1});
    picture.curves[0].stroke = Stroke::dots;
    for (int i = 0; i < 100'000; ++i) {
        picture.curves[0].pieces[0].push_back({i % 10 / 10.0, i % 5 / 5.0});
    }
    EXPECT_EQ(reduced(std::move(picture)).curves[0].pieces[0].size(), 10U);
}

TEST(Reduction, KeepsHolesThatCanBeSeenAndJoinsOthers) {
    Picture picture = picture_of({}, {0, 10'000}, {0, 1});
    picture.curves[0].pieces.clear();
    for (int i = 0; i < 5000; ++i) {
        picture.curves[0].pieces.push_back({{static_cast<double>(i), 0.5}});
    }
    for (int i = 9000; i < 10'000; ++i) {
        picture.curves[0].pieces.push_back({{static_cast<double>(i), 0.5}});
    }
    const Picture less = reduced(std::move(picture));
    ASSERT_EQ(less.curves[0].pieces.size(), 2U);
    EXPECT_LT(less.curves[0].pieces[0].back().x, 5000);
    EXPECT_GE(less.curves[0].pieces[1].front().x, 9000);
}

TEST(Reduction, OfAnAreaOfQuantilesTakesTheirMediansAndOfExtremesTheExtremes) {
    Picture picture = picture_of({{0, 0}}, {0, 10'000}, {0, 20});
    for (const bool extremes : {true, false}) {
        Band band{"b", {{}}, 0, extremes};
        for (int i = 0; i < 10'000; ++i) {
            band.pieces[0].push_back({static_cast<double>(i), i % 3 * 1.0, 10.0 + i % 3});
        }
        picture.bands.push_back(std::move(band));
    }
    const Picture less = reduced(std::move(picture));
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_LE(less.bands[i].pieces[0].size(), kColumns + 1);
        const BandPoint& point = less.bands[i].pieces[0][100];
        EXPECT_EQ(point.low, i == 0 ? 0 : 1);
        EXPECT_EQ(point.high, i == 0 ? 12 : 11);
    }
}

}  // namespace
}  // namespace groma
