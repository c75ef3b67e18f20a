#include "plots/results/thin_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plots/results/figure_thinner.hpp"
#include "tests/plots/memory_series.hpp"

namespace groma {
namespace {

ThinnedLine thinned(const std::vector<PicturePoint>& points, const AxisRange& range) {
    ThinLine line(range);
    for (const PicturePoint& point : points) {
        line.add(point, true);
    }
    return std::move(line).finish();
}

std::vector<PicturePoint> random_points(std::size_t count) {
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> value(0, 2);
    std::vector<PicturePoint> points;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back({static_cast<double>(i) + 0.5, value(random)});
    }
    return points;
}

TEST(ThinLine, KeepsFewPointsAsTheyAre) {
    const auto points = random_points(1900);
    const ThinnedLine line = thinned(points, {0, 1900});
    EXPECT_EQ(line.pieces, (std::vector<std::vector<PicturePoint>>{points}));
    EXPECT_TRUE(line.extremes.empty());
}

TEST(ThinLine, HasTheMedianAndTheExtremesOfAllPointsOfEachColumn) {
    const auto points = random_points(480 * 25);
    const ThinnedLine line = thinned(points, {0, 480 * 25});
    ASSERT_EQ(line.pieces.size(), 1U);
    ASSERT_EQ(line.pieces[0].size(), 480U);
    for (std::size_t column = 0; column < 480; ++column) {
        std::vector<double> values;
        for (std::size_t i = column * 25; i < (column + 1) * 25; ++i) {
            values.push_back(points[i].y);
        }
        std::ranges::sort(values);
        EXPECT_EQ(line.pieces[0][column], (PicturePoint{static_cast<double>(column) * 25 + 12.5, values[12]}));
        EXPECT_EQ(line.extremes[0][column].low, values.front());
        EXPECT_EQ(line.extremes[0][column].high, values.back());
    }
}

TEST(ThinLine, KeepsAFewHolesHoweverNarrow) {
    ThinLine line({0, 48'000});
    for (int i = 0; i < 48'000; ++i) {
        line.add({static_cast<double>(i), 1}, i != 10'050 and i != 30'050);
    }
    const ThinnedLine thin = std::move(line).finish();
    ASSERT_EQ(thin.pieces.size(), 3U);
    EXPECT_LT(thin.pieces[0].back().x, 10'050);
    EXPECT_GE(thin.pieces[1].front().x, 10'050);
}

TEST(ThinLine, OfManyHolesKeepsThoseThatAreAsWideAsAColumn) {
    ThinLine line({0, 48'000});
    for (int i = 0; i < 48'000; i += 2) {
        if (i < 20'000 or i > 21'000) {
            line.add({static_cast<double>(i), 1}, false);
        }
    }
    const ThinnedLine thin = std::move(line).finish();
    EXPECT_EQ(thin.pieces.size(), 2U);
    EXPECT_LE(thin.pieces[0].size() + thin.pieces[1].size(), kColumns);
}

/// Of each flow a day of seconds.
IntervalRows day_of(std::size_t flows) {
    IntervalRows rows(flows);
    for (std::size_t flow = 0; flow < flows; ++flow) {
        rows[flow].reserve(86'400);
        for (std::size_t second = 0; second < 86'400; ++second) {
            rows[flow].emplace_back().start_s = static_cast<double>(second);
            rows[flow].back().throughput_bps = static_cast<double>(100 * flow + second % 7);
        }
    }
    return rows;
}

TEST(OverTime, IsReadInSlicesThatFitIntoMemory) {
    const MemorySeries series(day_of(8));
    const RunResults run = run_over_time(series, 8);
    EXPECT_LE(series.most_at_once, 50'000U);
    EXPECT_GE(series.most_at_once, 5'000U);
    ASSERT_EQ(run.over_time.front().flows.size(), 8U);
    for (const ThinnedLine& line : run.over_time.front().flows) {
        EXPECT_EQ(line.pieces.size(), 1U);
        EXPECT_EQ(line.pieces.front().size(), kColumns);
    }
}

TEST(OverTime, OfManyFlowsHasTheSpreadOfEachIntervalWhereverSlicesEnd) {
    const RunResults run = run_over_time(MemorySeries(day_of(30)), 30);
    const SpreadLines& spread = run.over_time.front().spread;
    ASSERT_EQ(spread.median.pieces.size(), 1U);
    ASSERT_EQ(spread.median.pieces[0].size(), kColumns);
    for (std::size_t i = 0; i < kColumns; ++i) {
        // 180 seconds a column: the median of i % 7 is 3. Of 30 flows the ranks are 3, 15 and 27.
        EXPECT_EQ(spread.tenth.pieces[0][i].y, 203);
        EXPECT_EQ(spread.median.pieces[0][i].y, 1403);
        EXPECT_EQ(spread.ninetieth.pieces[0][i].y, 2603);
        EXPECT_EQ(spread.lowest.extremes[0][i].low, 0);
        EXPECT_EQ(spread.highest.extremes[0][i].high, 2906);
    }
}

TEST(OverTime, OfFiguresThatAreNotWantedReadsNothing) {
    const MemorySeries series(day_of(1));
    RunResults run;
    run.flows.resize(1);
    read_over_time(run, series, [](const std::string& kind) { return kind == "delay-cdf"; });
    EXPECT_EQ(series.most_at_once, 0U);
}

TEST(OverTime, OfVeryUnevenRowsIsReadAllTheSame) {
    IntervalRows rows(1);
    for (int i = 0; i < 120'000; ++i) {
        rows[0].emplace_back().start_s = 5;  // more in one interval than a slice may have
        rows[0].back().throughput_bps = i;
    }
    rows[0].emplace_back().start_s = 9e8;
    rows[0].back().throughput_bps = 1;
    const RunResults run = run_over_time(MemorySeries(rows), 1);
    EXPECT_EQ(run.over_time.front().flows.front().extremes.front().front().high, 119'999);
    EXPECT_EQ(run.over_time.front().time.high, 9e8 + 0.5);
}

}  // namespace
}  // namespace groma
