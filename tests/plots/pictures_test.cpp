#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "plots/gnuplot/quantity.hpp"
#include "plots/pictures/distribution_pictures.hpp"
#include "plots/pictures/series_pictures.hpp"
#include "plots/results/distributions.hpp"
#include "tests/plots/memory_series.hpp"

namespace groma {
namespace {

constexpr DistributionMeasure kGap{"inter-departure time", "sent_gap", "gaps", true};
constexpr DistributionMeasure kDelay{"one-way delay", "delay", "packets", false};

std::vector<SeriesPoint> with_throughputs(const std::vector<double>& throughputs) {
    std::vector<SeriesPoint> rows;
    for (std::size_t i = 0; i < throughputs.size(); ++i) {
        rows.emplace_back().start_s = static_cast<double>(i);
        rows.back().throughput_bps = throughputs[i];
    }
    return rows;
}

/// A picture over time of flows with these rows.
std::optional<Picture> drawn(const IntervalRows& rows, const std::string& stem = "throughput") {
    return draw_series(run_over_time(MemorySeries(rows), rows.size()), measure_named(stem));
}

TEST(Units, FollowTheMagnitude) {
    EXPECT_EQ(unit_for(Quantity::nanoseconds, 999).name, "ns");
    EXPECT_EQ(unit_for(Quantity::nanoseconds, -2500).name, "us");
    EXPECT_EQ(unit_for(Quantity::nanoseconds, 12e6).name, "ms");
    EXPECT_EQ(unit_for(Quantity::bits_per_second, 1.5e6).name, "Mbit/s");
    EXPECT_EQ(unit_for(Quantity::packets_per_second, 0).name, "packets/s");
    EXPECT_EQ(axis_label("delay", unit_for(Quantity::nanoseconds, 12e6)), "delay [ms]");
}

TEST(Units, OfTicksAreTheirOwn) {
    EXPECT_EQ(tick_label(1), "1 ns");
    EXPECT_EQ(tick_label(5e4), "50 us");
    EXPECT_EQ(tick_label(1e9), "1 s");
}

TEST(SeriesPicture, ShowsEachFlowInTheUnitOfTheAxis) {
    const Picture picture = drawn({with_throughputs({1e6, 2e6}), with_throughputs({3e6})}).value();
    EXPECT_EQ(picture.y_label, "throughput received (payload) [Mbit/s]");
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "a");
    EXPECT_EQ(picture.curves[0].pieces, (std::vector<std::vector<PicturePoint>>{{{0.5, 1}, {1.5, 2}}}));
    EXPECT_GE(picture.y_range.high, 3);
    EXPECT_EQ(picture.x_range.high, 2);
}

TEST(SeriesPicture, DoesNotConnectOverIntervalsOfWhichNothingIsKnown) {
    std::vector<SeriesPoint> rows = with_throughputs({1, 2, 3, 4, 5});
    rows[1].throughput_bps.reset();
    rows.erase(rows.begin() + 3);
    EXPECT_EQ(drawn({rows})->curves[0].pieces,
              (std::vector<std::vector<PicturePoint>>{{{0.5, 1}}, {{2.5, 3}}, {{4.5, 5}}}));
}

TEST(SeriesPicture, IsLeftOutWhenNothingIsKnown) {
    EXPECT_FALSE(draw_series(RunResults(), measure_named("throughput")));
    EXPECT_FALSE(drawn({}));
    EXPECT_FALSE(drawn({with_throughputs({1})}, "loss"));
}

TEST(SeriesPicture, OfASingleValueHasRoomAroundIt) {
    const Picture picture = drawn({with_throughputs({5})}).value();
    EXPECT_LT(picture.x_range.low, picture.x_range.high);
    EXPECT_LT(picture.y_range.low, 5);
    EXPECT_GT(picture.y_range.high, 5);
}

TEST(SeriesPicture, OfAConnectionBeginsWithTheRun) {
    for (const std::size_t flows : {1U, 9U}) {
        const SampleRows samples(flows, {{-0.2, 5e5, 1e4, 0}, {0.3, 4e5, 1e4, 0}, {1.3, 4e5, 1e4, 0}});
        const Picture picture =
            draw_series(run_over_time(MemorySeries({}, samples), flows), measure_named("connection-rtt")).value();
        EXPECT_EQ(picture.x_range.low, 0);
        for (const Curve& curve : picture.curves) {
            EXPECT_GT(curve.pieces[0][0].x, 0);
        }
    }
}

TEST(SeriesPicture, OfCountsHasWholeTicks) {
    std::vector<SeriesPoint> rows = with_throughputs({1, 1});
    rows[0].lost = 0;
    rows[1].lost = 2;
    const Picture picture = drawn({rows}, "loss").value();
    EXPECT_EQ(picture.y_ticks, (std::vector<AxisTick>{{0, "0"}, {1, "1"}, {2, "2"}}));
    EXPECT_TRUE(drawn({rows})->y_ticks.empty());
}

TEST(SeriesPicture, WithoutLossSaysSo) {
    IntervalRows rows = {with_throughputs({1, 1}), with_throughputs({1, 1})};
    rows[0][0].lost = rows[0][1].lost = rows[1][0].lost = 0;
    EXPECT_EQ(drawn(rows, "loss")->title, "packets lost in an interval: no loss where it is known");
    rows[1][1].lost = 0;
    const Picture picture = drawn(rows, "loss").value();
    EXPECT_EQ(picture.title, "packets lost in an interval: no loss");
    EXPECT_LT(picture.y_range.low, 0);
    EXPECT_EQ(picture.y_ticks, (std::vector<AxisTick>{{0, "0"}, {1, "1"}}));
    rows.emplace_back();
    EXPECT_EQ(drawn(rows, "loss")->title, "packets lost in an interval: no loss where it is known");
    rows[1][1].lost = 1;
    EXPECT_EQ(drawn(rows, "loss")->title, "packets lost in an interval");
}

TEST(SeriesPicture, OfZerosOnlyHasAnAxis) {
    EXPECT_EQ(drawn({with_throughputs({0, 0})})->y_range.high, 1);
}

TEST(SeriesPicture, OfManyFlowsShowsTheirSpreadAndNotEachOfThem) {
    IntervalRows rows;
    for (int i = 1; i <= 100; ++i) {
        rows.push_back(with_throughputs({static_cast<double>(i)}));
    }
    const Picture picture = drawn(rows).value();
    ASSERT_EQ(picture.curves.size(), 4U);
    EXPECT_EQ(picture.curves[0].pieces[0][0].y, 100);
    EXPECT_EQ(picture.curves[1].pieces[0][0].y, 50);
    EXPECT_EQ(picture.curves[2].pieces[0][0].y, 1);
    ASSERT_EQ(picture.bands.size(), 1U);
    EXPECT_EQ(picture.bands[0].pieces[0][0].low, 10);
    EXPECT_EQ(picture.bands[0].pieces[0][0].high, 90);
}

TEST(SeriesPicture, OfManyFlowsShowsTheTotalOfRatesAndTheMeanOfTimes) {
    IntervalRows rows;
    for (int i = 1; i <= 9; ++i) {
        rows.push_back(with_throughputs({static_cast<double>(i), 9}));
        for (SeriesPoint& point : rows.back()) {
            point.jitter_ns = point.throughput_bps;
        }
    }
    rows[0].pop_back();
    const Curve total = drawn(rows)->curves.at(3);
    EXPECT_EQ(total.name, "total / 9");
    EXPECT_DOUBLE_EQ(total.pieces[0].at(0).y, 5);
    EXPECT_DOUBLE_EQ(total.pieces[0].at(1).y, 8);
    const Curve mean = drawn(rows, "jitter")->curves.at(3);
    EXPECT_EQ(mean.name, "mean flow");
    EXPECT_DOUBLE_EQ(mean.pieces[0].at(0).y, 5);
    EXPECT_DOUBLE_EQ(mean.pieces[0].at(1).y, 9);
    rows.pop_back();
    EXPECT_EQ(drawn(rows)->curves.size(), 8U);
}

TEST(SeriesPicture, OfOneFlowsDelayShowsSmallestAndLargest) {
    std::vector<SeriesPoint> rows = with_throughputs({1});
    rows[0].delay_mean_ns = 3000;
    rows[0].delay_min_ns = 1000;
    rows[0].delay_max_ns = 9000;
    const Picture picture = drawn({rows}, "delay").value();
    ASSERT_EQ(picture.bands.size(), 1U);
    EXPECT_DOUBLE_EQ(picture.bands[0].pieces[0][0].high, 9);
    EXPECT_GT(picture.y_range.high, 9);
}

/// Of a single flow, in ns: smallest 1000, mean 2000, and these as the largest.
Picture delays_up_to(const std::vector<double>& largest) {
    std::vector<SeriesPoint> rows = with_throughputs(std::vector<double>(largest.size(), 1));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].delay_mean_ns = 2000;
        rows[i].delay_min_ns = 1000;
        rows[i].delay_max_ns = largest[i];
    }
    return drawn({rows}, "delay").value();
}

TEST(SeriesPicture, ShowsMaximaFarAboveTheMeansAsPointsAtTheEdge) {
    const Picture picture = delays_up_to({3000, 900'000, 5000, 8000});
    EXPECT_DOUBLE_EQ(picture.y_range.high, 6);  // us: five times as far from 1 us as the mean
    EXPECT_DOUBLE_EQ(picture.bands[0].pieces[0][1].high, 6);
    EXPECT_DOUBLE_EQ(picture.bands[0].pieces[0][2].high, 5);
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[1].name, "largest, beyond the axis");
    EXPECT_EQ(picture.curves[1].stroke, Stroke::dots);
    EXPECT_EQ(picture.curves[1].pieces[0], (std::vector<PicturePoint>{{1.5, 6}, {3.5, 6}}));
    EXPECT_EQ(picture.title, "one-way delay, mean; points at the edge: maxima, up to 900 us");
}

TEST(SeriesPicture, HasAllMaximaOnItsAxisIfTheyAreNear) {
    const Picture picture = delays_up_to({6000, 5000});
    EXPECT_EQ(picture.curves.size(), 1U);
    EXPECT_GT(picture.y_range.high, 6);
    EXPECT_EQ(picture.title, "one-way delay, mean");
}

TEST(SeriesPicture, OfALongRunEndsWhereTheRunDoes) {
    const Picture picture = drawn({with_throughputs(std::vector<double>(86'400, 1e6))}).value();
    EXPECT_DOUBLE_EQ(picture.x_range.high, 24);
    EXPECT_EQ(picture.curves[0].pieces[0].size(), kColumns);
    EXPECT_EQ(picture.curves[0].extremes[0].size(), kColumns);
}

TEST(Distribution, OfAHistogramRisesThroughTheEdgesOfItsBins) {
    const std::vector<HistogramBin> bins = {{0, 10, 1}, {20, 30, 3}};
    EXPECT_EQ(cdf_of(bins), (std::vector<CdfPoint>{{0, 0}, {10, 0.25}, {20, 0.25}, {30, 1}}));
    EXPECT_DOUBLE_EQ(value_at(cdf_of(bins), 0.625), 25);
}

TEST(Distribution, OfSeveralHistogramsCountsAllOfThem) {
    const std::vector<HistogramBin> a = {{0, 1, 1}, {4, 5, 2}};
    const std::vector<HistogramBin> b = {{2, 3, 4}, {4, 5, 8}};
    EXPECT_EQ(merged({&a, &b}), (std::vector<HistogramBin>{{0, 1, 1}, {2, 3, 4}, {4, 5, 10}}));
}

TEST(Mixture, KeepsStepsAndWeighsItsParts) {
    const std::vector<CdfPoint> step = {{10, 0}, {10, 1}};
    const std::vector<CdfPoint> even = {{0, 0}, {20, 1}};
    const auto mixed = mixture({{&step, 3}, {&even, 1}});
    EXPECT_EQ(mixed, (std::vector<CdfPoint>{{0, 0}, {10, 0.125}, {10, 0.875}, {20, 1}}));
}

TEST(Mixture, OfManyPointsIsThinnedOutButKeepsItsEnds) {
    std::vector<CdfPoint> even;
    for (int i = 0; i <= 10'000; ++i) {
        even.push_back({static_cast<double>(i), i / 10'000.0});
    }
    const auto mixed = mixture({{&even, 1}}, 50);
    EXPECT_LE(mixed.size(), 100U);
    EXPECT_EQ(mixed.front(), (CdfPoint{0, 0}));
    EXPECT_EQ(mixed.back(), (CdfPoint{10'000, 1}));
}

RunResults run_with_gaps(double low, double high, double asked) {
    RunResults run;
    FlowResults flow;
    flow.name = "a";
    flow.histograms["sent_gap"] = {{low, low, 1}, {high, high, 1}};
    flow.asked_gaps = {{asked, 1}};
    run.flows = {flow};
    return run;
}

TEST(DistributionPicture, ShowsWhatWasAskedBesideWhatWasSent) {
    const Picture picture = draw_cdf(run_with_gaps(990, 1010, 1000), kGap).value();
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "a, asked");
    EXPECT_EQ(picture.curves[0].pieces[0], (std::vector<PicturePoint>{{1, 0}, {1, 1}}));
    EXPECT_EQ(picture.curves[1].name, "a, sent");
    EXPECT_FALSE(picture.log_x);
}

TEST(DistributionPicture, IsLogarithmicWhenValuesSpanDecades) {
    const Picture wide = draw_cdf(run_with_gaps(0, 1e6, 1000), kGap).value();
    EXPECT_TRUE(wide.log_x);
    EXPECT_GT(wide.x_range.low, 0);
    for (const Curve& curve : wide.curves) {
        for (const PicturePoint& point : curve.pieces[0]) {
            EXPECT_GT(point.x, 0);
            EXPECT_TRUE(std::isfinite(point.y));
        }
    }
}

TEST(DistributionPicture, ShowsGapsOfZeroAtTheEdgeOfALogarithmicAxis) {
    const Picture picture = draw_cdf(run_with_gaps(0, 1e6, 1000), kGap).value();
    EXPECT_EQ(picture.x_range.low, 500);
    EXPECT_EQ(picture.curves[1].pieces[0][0].x, 500);
    EXPECT_EQ(picture.x_ticks.front(), (AxisTick{500, "500 ns"}));
    EXPECT_EQ(picture.x_ticks.back(), (AxisTick{1e6, "1 ms"}));
}

TEST(DistributionPicture, OfNegativeValuesIsLinear) {
    EXPECT_FALSE(draw_cdf(run_with_gaps(-5, 1e6, 1000), kGap)->log_x);
}

TEST(DistributionPicture, OfManyFlowsIsOneDistribution) {
    RunResults run;
    for (int i = 0; i < 30; ++i) {
        run.flows.push_back(run_with_gaps(990, 1010, 1000).flows[0]);
    }
    const Picture picture = draw_cdf(run, kGap).value();
    ASSERT_EQ(picture.curves.size(), 4U);
    EXPECT_EQ(picture.curves[0].name, "highest flow");
    EXPECT_EQ(picture.curves[1].name, "lowest flow");
    EXPECT_EQ(picture.curves[2].name, "30 flows together, asked");
    run.flows[7].asked_gaps.clear();
    EXPECT_EQ(draw_cdf(run, kGap)->curves.size(), 3U);
}

TEST(DistributionPicture, IsLeftOutWhenNothingIsKnown) {
    EXPECT_FALSE(draw_cdf(run_with_gaps(1, 2, 3), kDelay));
}

}  // namespace
}  // namespace groma
