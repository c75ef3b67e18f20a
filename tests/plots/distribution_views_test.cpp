// Tails, densities, quantiles against quantiles, spreads over flows, delay against loss.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "plots/gnuplot/style.hpp"
#include "plots/pictures/delay_loss_picture.hpp"
#include "plots/pictures/distribution_pictures.hpp"
#include "plots/pictures/series_pictures.hpp"
#include "plots/results/distributions.hpp"
#include "tests/plots/memory_series.hpp"

namespace groma {
namespace {

constexpr DistributionMeasure kGap{"inter-departure time", "sent_gap", "gaps", true, true};
constexpr DistributionMeasure kDelay{"one-way delay", "delay", "packets", false};

/// A value in each ns from `from` on.
FlowResults flow_of(const char* kind, double from, std::size_t values) {
    FlowResults flow;
    flow.name = "a";
    for (std::size_t i = 0; i < values; ++i) {
        const double at = from + static_cast<double>(i);
        flow.histograms[kind].push_back({at, at, 1});
    }
    return flow;
}

/// After a step.
double last_at(const Curve& curve, double x) {
    double y = -1;
    for (const PicturePoint& point : curve.pieces.front()) {
        y = std::abs(point.x - x) < 1e-9 ? point.y : y;
    }
    return y;
}

TEST(Ccdf, HoldsTheShareAboveEachValueDownToASingleOne) {
    RunResults run;
    run.flows = {flow_of("delay", 100, 100)};  // 100 to 199 ns
    const Picture picture = draw_ccdf(run, kDelay).value();
    EXPECT_TRUE(picture.log_y);
    ASSERT_EQ(picture.curves.size(), 1U);
    EXPECT_NEAR(last_at(picture.curves[0], 149), 0.5, 1e-9);
    EXPECT_NEAR(last_at(picture.curves[0], 189), 0.1, 1e-9);
    EXPECT_NEAR(last_at(picture.curves[0], 198), 0.01, 1e-9);
    EXPECT_NEAR(picture.y_range.low, 0.005, 1e-12);
    EXPECT_TRUE(std::ranges::all_of(picture.curves[0].pieces[0], [](const PicturePoint& p) { return p.y > 0; }));
    EXPECT_EQ(picture.y_ticks.front(), (AxisTick{1, "1"}));
}

TEST(Ccdf, IsNoDeeperThanWhatIsInTheLastBin) {
    RunResults run;
    run.flows.emplace_back().histograms["delay"] = {{100, 199, 900'000}, {200, 299, 100'000}};
    EXPECT_NEAR(draw_ccdf(run, kDelay)->y_range.low, 0.05, 1e-12);
}

TEST(Ccdf, OfASinglePacketHasADecade) {
    RunResults run;
    run.flows = {flow_of("delay", 100, 1)};
    const Picture picture = draw_ccdf(run, kDelay).value();
    EXPECT_EQ(picture.y_range.low, 0.05);
    EXPECT_EQ(picture.y_ticks.size(), 2U);
}

TEST(Ccdf, OfAnEmptyRunIsNone) {
    EXPECT_FALSE(draw_ccdf(RunResults{}, kDelay));
    EXPECT_FALSE(draw_density(RunResults{}, kDelay));
    EXPECT_FALSE(draw_qq(RunResults{}, kGap));
    EXPECT_FALSE(draw_delay_against_loss(RunResults{}));
}

TEST(Density, CountsAllValuesInBinsOfEqualWidth) {
    RunResults run;
    run.flows = {flow_of("delay", 1000, 1000)};
    const Picture picture = draw_density(run, kDelay).value();
    const auto& points = picture.curves[0].pieces[0];
    ASSERT_EQ(points.size() % 2, 0U);
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); i += 2) {
        EXPECT_EQ(points[i].y, points[i + 1].y);
        if (i > 0) {
            EXPECT_NEAR(points[i + 1].x - points[i].x, points[1].x - points[0].x, 1e-9);
        }
        sum += points[i].y;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
    EXPECT_FALSE(picture.log_x);
    EXPECT_NE(picture.y_label.find("equal width"), std::string::npos);
}

TEST(Density, OfASingleValueIsOneSpike) {
    RunResults run;
    run.flows = {flow_of("delay", 5000, 1)};
    const Picture picture = draw_density(run, kDelay).value();
    double sum = 0;
    for (std::size_t i = 0; i < picture.curves[0].pieces[0].size(); i += 2) {
        sum += picture.curves[0].pieces[0][i].y;
    }
    EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(Qq, OfWhatWasAskedIsOnTheLine) {
    RunResults run;
    run.flows = {flow_of("sent_gap", 1000, 2001)};  // uniform from 1000 to 3000
    run.flows[0].asked_gaps = {{1000, 0}, {3000, 1}};
    run.flows[0].lambda2 = 0.0123;
    const Picture picture = draw_qq(run, kGap).value();
    ASSERT_EQ(picture.curves.size(), 2U);
    EXPECT_EQ(picture.curves[0].name, "as asked");
    EXPECT_EQ(picture.curves[1].stroke, Stroke::dots);
    EXPECT_EQ(picture.curves[1].name, "a, sent, \u03bb\u00b2 0.012");
    EXPECT_GT(picture.curves[1].pieces[0].size(), 99U);
    for (const PicturePoint& point : picture.curves[1].pieces[0]) {
        EXPECT_NEAR(point.x, point.y, 0.002);  // us
    }
}

TEST(Qq, ShowsGapsThatAreTwiceWhatWasAsked) {
    RunResults run;
    run.flows = {flow_of("sent_gap", 2000, 4001)};
    run.flows[0].asked_gaps = {{1000, 0}, {3000, 1}};
    const Picture picture = draw_qq(run, kGap).value();
    for (const PicturePoint& point : picture.curves.at(1).pieces[0]) {
        EXPECT_NEAR(point.y, 2 * point.x, 0.004);
    }
}

/// Flow "a" as asked, the others with OFF periods.
RunResults run_with_off_periods(std::size_t flows) {
    RunResults run;
    for (std::size_t i = 0; i < flows; ++i) {
        run.flows.push_back(flow_of("sent_gap", 1000, 2001));
        run.flows.back().asked_gaps = {{1000, 0}, {3000, 1}};
        if (i > 0) {
            run.flows.back().name = "burst " + std::to_string(i);
            run.flows.back().histograms["sent_gap"].push_back({1e9, 1e9, 9});
            run.flows.back().asked_gaps.clear();
            run.flows.back().on_off = true;
        }
    }
    return run;
}

TEST(Gaps, OverOffPeriodsAreNamed) {
    const RunResults run = run_with_off_periods(2);
    EXPECT_EQ(draw_cdf(run, kGap)->title, "inter-departure time, asked and sent, OFF periods in the gaps of burst 1");
    EXPECT_EQ(draw_cdf(run, kGap)->curves.size(), 3U);  // a asked, a sent, burst 1 sent
    EXPECT_EQ(draw_qq(run, kGap)->title,
              "inter-departure time, quantiles sent against asked, without those with OFF periods: burst 1");
    EXPECT_EQ(draw_qq(run, kGap)->curves.size(), 2U);
    EXPECT_FALSE(draw_cdf(run, kDelay));
}

TEST(Gaps, OverOffPeriodsAreLeftOutOfATotalAgainstWhatWasAsked) {
    const Picture picture = draw_density(run_with_off_periods(30), kGap).value();
    EXPECT_EQ(picture.title, "inter-departure time, asked and sent, density, without those with OFF periods: 29 flows");
    EXPECT_EQ(picture.curves.at(1).name, "a, sent");
    EXPECT_LT(picture.x_range.high, 4);  // us
    RunResults all_off = run_with_off_periods(30);
    all_off.flows.erase(all_off.flows.begin());
    const Picture sent = draw_density(all_off, kGap).value();
    EXPECT_EQ(sent.title, "inter-departure time, density, OFF periods in the gaps of 29 flows");
    EXPECT_EQ(sent.curves.size(), 1U);
}

TEST(Qq, OfAConstantIsNone) {
    RunResults run;
    run.flows = {flow_of("sent_gap", 990, 20)};
    run.flows[0].asked_gaps = {{1000, 1}};
    EXPECT_FALSE(draw_qq(run, kGap));
}

/// `flows` flows of `models` models; those of model k have gaps k times as long, and more of them.
RunResults run_of_models(std::size_t flows, std::size_t models) {
    RunResults run;
    for (std::size_t i = 0; i < flows; ++i) {
        const double k = 1 + static_cast<double>(i % models);
        run.flows.push_back(flow_of("sent_gap", 1000 * k, static_cast<std::size_t>(1000 * k) + 1));
        run.flows.back().asked_gaps = {{1000 * k, 0}, {2000 * k, 1}};
        run.flows.back().model = "model " + std::to_string(i % models + 1);
    }
    return run;
}

TEST(Qq, OfManyFlowsHasACurveForEachModel) {
    const Picture picture = draw_qq(run_of_models(20, 3), kGap).value();
    ASSERT_EQ(picture.curves.size(), 4U);
    EXPECT_EQ(picture.curves[1].name, "model 3, 6 flows");
    EXPECT_EQ(picture.curves[3].name, "model 1, 7 flows");
    EXPECT_EQ(picture.title, "inter-departure time, quantiles sent against asked, by model");
    for (std::size_t i = 1; i < 4; ++i) {
        for (const PicturePoint& point : picture.curves[i].pieces[0]) {
            EXPECT_NEAR(point.x, point.y, 0.01);  // us
        }
    }
}

TEST(Qq, OfManyModelsSaysWhichAreLeftOut) {
    const Picture picture = draw_qq(run_of_models(20, 10), kGap).value();
    EXPECT_EQ(picture.curves.size(), 8U);
    EXPECT_EQ(picture.curves[7].name, "model 4, 2 flows");
    EXPECT_NE(picture.title.find("7 of 10 models, those with most gaps"), std::string::npos);
}

TEST(Cdf, OfVeryManyFlowsShowsHowTheyAreSpread) {
    RunResults run;
    for (int i = 1; i <= 100; ++i) {  // flow i: one delay of i ns
        run.flows.push_back(flow_of("delay", i, 1));
    }
    const Picture picture = draw_cdf(run, kDelay).value();
    ASSERT_EQ(picture.curves.size(), 3U);
    EXPECT_EQ(picture.curves[2].name, "100 flows together");
    ASSERT_EQ(picture.bands.size(), 1U);
    EXPECT_EQ(picture.bands[0].name, "10 % to 90 % of the flows");
    for (const BandPoint& point : picture.bands[0].pieces[0]) {
        EXPECT_LE(point.low, point.high);
        // Between 11 and 89 ns more than a tenth of the flows are above, and more than a tenth are not.
        if (point.x > 11 and point.x < 89) {
            EXPECT_EQ(point.low, 0);
            EXPECT_EQ(point.high, 1);
        }
    }
}

TEST(Cdf, OfThirtyAndOfAThousandFlowsHasAHandfulOfCurves) {
    for (const int flows : {9, 30, 1000}) {
        RunResults run;
        for (int i = 0; i < flows; ++i) {
            run.flows.push_back(flow_of("sent_gap", 1000 + i, 50));
            run.flows.back().asked_gaps = {{1000.0 + i, 0}, {1050.0 + i, 1}};
        }
        for (const auto& draw : {draw_cdf, draw_ccdf, draw_density, draw_qq}) {
            EXPECT_LE(draw(run, kGap)->curves.size(), 4U);
        }
    }
}

/// The word of curve `look` in NAME = "..." of the style.
std::string word_of_style(const std::string& name, std::size_t look) {
    const std::string style(built_in_style());
    const std::size_t start = style.find("\n" + name + " = \"") + name.size() + 5;
    std::istringstream text(style.substr(start, style.find('"', start) - start));
    const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
    return words.at(look % words.size());
}

SeriesPoint interval_with_loss(double start_s, double delay_ns, double lost) {
    SeriesPoint point;
    point.start_s = start_s;
    point.delay_mean_ns = delay_ns;
    point.lost = lost;
    point.sent_packets = 100;
    return point;
}

TEST(DelayAgainstLoss, IsADotForEachInterval) {
    SeriesPoint unknown;
    unknown.start_s = 2;
    const MemorySeries series({{interval_with_loss(0, 2e6, 5), interval_with_loss(1, 4e6, 20), unknown}});
    const Picture picture = draw_delay_against_loss(run_over_time(series, 1)).value();
    ASSERT_EQ(picture.curves.size(), 1U);
    EXPECT_EQ(picture.curves[0].pieces[0], (std::vector<PicturePoint>{{2, 5}, {4, 20}}));
    EXPECT_EQ(picture.x_label, "one-way delay, mean of an interval [ms]");
}

TEST(DelayAgainstLoss, OfManyFlowsCountsIntervalsInCells) {
    IntervalRows rows;
    for (int i = 0; i < 30; ++i) {
        rows.push_back({interval_with_loss(0, i < 10 ? 1e6 : 9e6, i < 10 ? 1 : 50)});
    }
    const Picture picture = draw_delay_against_loss(run_over_time(MemorySeries(rows), 30)).value();
    EXPECT_TRUE(picture.curves.empty());
    ASSERT_EQ(picture.cells.size(), 2U);
    EXPECT_EQ(picture.cells[0].value, 10);
    EXPECT_EQ(picture.cells[1].value, 20);
    EXPECT_LE(picture.cells[1].x.low, 9);
    EXPECT_GE(picture.cells[1].x.high, 9);
}

TEST(DelayAgainstLoss, HasNoTwoFlowsWithTheSameDots) {
    IntervalRows rows(7, {interval_with_loss(0, 2e6, 5)});
    const Picture dots = draw_delay_against_loss(run_over_time(MemorySeries(rows), 7)).value();
    EXPECT_EQ(dots.curves.size(), 7U);
    std::set<std::pair<std::string, std::string>> looks;  // colours and marks of the style
    for (const Curve& curve : dots.curves) {
        looks.emplace(word_of_style("colours", curve.look), word_of_style("marks", curve.look));
    }
    EXPECT_EQ(looks.size(), 7U);
    rows.push_back(rows.front());
    const Picture cells = draw_delay_against_loss(run_over_time(MemorySeries(rows), 8)).value();
    EXPECT_TRUE(cells.curves.empty());
    EXPECT_EQ(cells.cells.at(0).value, 8);
}

TEST(DelayAgainstLoss, WithoutLossIsNone) {
    const MemorySeries series({{interval_with_loss(0, 2e6, 0)}});
    EXPECT_FALSE(draw_delay_against_loss(run_over_time(series, 1)));
}

TEST(DelayAgainstLoss, OfVeryManyIntervalsKeepsADotAtEachPlace) {
    IntervalRows rows(1);
    for (int i = 0; i < 200'000; ++i) {
        rows[0].push_back(interval_with_loss(i, 1e6 * (1 + i % 5), i % 2));
    }
    const Picture picture = draw_delay_against_loss(run_over_time(MemorySeries(rows), 1)).value();
    EXPECT_EQ(picture.curves[0].pieces[0].size(), 10U);
}

}  // namespace
}  // namespace groma
