#include "plots/results/comparison.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "plots/results/compared_series.hpp"

namespace groma {
namespace {

SeriesPoint interval(double start_s, double packets, double delay_ns, std::optional<double> lost) {
    SeriesPoint point;
    point.start_s = start_s;
    point.sent_packets = packets;
    point.received_packets = packets;
    point.received_bytes = packets;
    point.throughput_bps = 8 * packets;
    point.packet_rate_pps = packets;
    point.sent_rate_pps = packets;
    point.delay_mean_ns = delay_ns;
    point.delay_min_ns = delay_ns / 2;
    point.delay_max_ns = delay_ns * 2;
    point.lost = lost;
    return point;
}

/// Of two flows, the second of which began later.
IntervalRows rows_of_two() {
    return {{interval(0, 10, 100, 1), interval(1, 20, 200, 2)}, {interval(1, 60, 400, 3)}};
}

RunResults run_named(const std::string& experiment) {
    RunResults run;
    run.experiment = experiment;
    run.clock = "one clock";
    run.lambda2 = 0.25;
    FlowResults a;
    a.histograms["delay"] = {{0, 10, 1}};
    FlowResults b;
    b.histograms["delay"] = {{0, 10, 2}, {20, 30, 5}};
    run.flows = {a, b};
    return run;
}

TEST(TotalOfARun, AddsCountsAndWeighsMeansByPackets) {
    const std::vector<SeriesPoint> total = total_series(rows_of_two(), {1, 1}, 1);
    ASSERT_EQ(total.size(), 2U);
    EXPECT_EQ(total[0].throughput_bps, 80);
    EXPECT_EQ(total[1].throughput_bps, 640);
    EXPECT_EQ(total[1].sent_packets, 80);
    EXPECT_EQ(total[1].sent_rate_pps, 80);
    EXPECT_EQ(total[1].lost, 5);
    EXPECT_EQ(total[1].delay_mean_ns, (20 * 200 + 60 * 400) / 80.0);
    EXPECT_EQ(total[1].delay_min_ns, 100);
    EXPECT_EQ(total[1].delay_max_ns, 800);
}

TEST(TotalOfARun, HasTheDistributionsOfAllPackets) {
    const FlowResults total = total_of(run_named("x"));
    EXPECT_EQ(total.histograms.at("delay"), (std::vector<HistogramBin>{{0, 10, 3}, {20, 30, 5}}));
    EXPECT_EQ(total.lambda2, 0.25);
}

TEST(TotalOfARun, IsUnknownWhereAFlowIs) {
    IntervalRows rows = rows_of_two();
    rows[1][0].lost.reset();
    const std::vector<SeriesPoint> total = total_series(rows, {1, 1}, 1);
    EXPECT_EQ(total[0].lost, 1);
    EXPECT_FALSE(total[1].lost);
}

TEST(TotalOfARun, CountsWhatSeveralReceiversWereSentOnce) {
    const std::vector<SeriesPoint> total = total_series(rows_of_two(), {1, 2}, 1);
    EXPECT_EQ(total[1].sent_packets, 20);
    EXPECT_EQ(total[1].sent_rate_pps, 20);
    EXPECT_EQ(total[1].received_packets, 80);
}

TEST(Comparison, HasARunInPlaceOfAFlow) {
    const RunResults all =
        compared({{"a.sqlite", {run_named("one")}}, {"b.sqlite", {run_named("two"), run_named("three")}}});
    EXPECT_EQ(all.one, CurveOf::run);
    ASSERT_EQ(all.flows.size(), 3U);
    EXPECT_EQ(all.flows[0].name, "one");
    EXPECT_EQ(all.flows[2].name, "three");
    EXPECT_EQ(noun(all), "run");
}

TEST(Comparison, CallsRunsByWhatTellsThemApart) {
    const RunResults run = run_named("x");
    using Names = std::vector<std::string>;
    EXPECT_EQ(run_names({{"/r/a.sqlite", {run}}, {"/r/b.sqlite", {run}}}), (Names{"a", "b"}));
    EXPECT_EQ(run_names({{"/r/a.sqlite", {run, run}}}), (Names{"a run 1", "a run 2"}));
    EXPECT_EQ(run_names({{"/one/r.sqlite", {run}}, {"/two/r.sqlite", {run}}}), (Names{"one", "two"}));
    EXPECT_EQ(run_names({{"/r/a.sqlite", {run}}, {"/r/a.sqlite", {run}}}), (Names{"1: a", "2: a"}));
}

TEST(Comparison, OfDifferentIntervalsIsRefused) {
    RunResults fine = run_named("fine");
    fine.interval_s = 0.1;
    try {
        (void)compared({{"a", {run_named("coarse")}}, {"b", {fine}}});
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("fine of 0.1 s"), std::string::npos) << error.what();
    }
}

TEST(Comparison, TakesTheWorstClock) {
    RunResults relative = run_named("r");
    relative.clock = "relative";
    RunResults loose = run_named("l");
    loose.clock_bound_ns = 500;
    const RunResults all = compared({{"a", {relative}}, {"b", {loose}}});
    EXPECT_EQ(all.clock, "relative");
    EXPECT_EQ(all.clock_bound_ns, 500);
}

}  // namespace
}  // namespace groma
