#include "decoder/text/text_parts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace groma {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;

TEST(UtcText, HasMillisecondsThatAreNotRoundedUp) {
    EXPECT_EQ(utc_text(wall_time_from_ns(1'763'835'600'000'000'000)), "2025-11-22 18:20:00.000 UTC");
    EXPECT_EQ(utc_text(wall_time_from_ns(1'763'835'600'999'999'999)), "2025-11-22 18:20:00.999 UTC");
    EXPECT_EQ(utc_text(wall_time_from_ns(-1'000'000)), "1969-12-31 23:59:59.999 UTC");
}

TEST(UtcText, IsThereForEveryTimeThatADamagedLogCanHave) {
    EXPECT_EQ(utc_text(wall_time_from_ns(std::numeric_limits<std::int64_t>::min())), "1677-09-21 00:12:43.145 UTC");
    EXPECT_EQ(utc_text(wall_time_from_ns(std::numeric_limits<std::int64_t>::max())), "2262-04-11 23:47:16.854 UTC");
}

TEST(TimeCells, OfNoTimesAreAllUnknown) {
    EXPECT_THAT(time_cells({}), Each(kUnknown));
    EXPECT_THAT(time_cells({}), SizeIs(with_times({}).size()));
    Table table(with_times({{"flow"}}));
    add_times(table, {"1"}, {});
    EXPECT_EQ(table.rows(), 0U);
    EXPECT_EQ(section("Delays", table), "");
}

TEST(TimeCells, AreInTheOrderOfTheirHeadings) {
    Spread spread;
    spread.count = 2;
    spread.min = 1;
    spread.mean = 2;
    spread.deviation = 3;
    spread.p50 = 4;
    spread.p90 = 5;
    spread.p99 = 6;
    spread.p999 = 7;
    spread.max = 8;
    EXPECT_THAT(time_cells(spread), ElementsAre("2", "1 ns", "2 ns", "3 ns", "4 ns", "5 ns", "6 ns", "7 ns", "8 ns"));
}

FlowResult flow_at(const std::string& receiver, std::uint32_t receivers) {
    FlowResult flow;
    flow.spec.id = FlowId{3};
    flow.receiver = receiver;
    flow.receivers = receivers;
    return flow;
}

TEST(FlowLabel, NamesTheReceiverOnlyWhereThereAreSeveralAndSafely) {
    EXPECT_EQ(label(flow_at("beta", 1)), "3");
    EXPECT_EQ(label(flow_at("beta\r", 2)), "3 at beta\\x0d");
}

TEST(NamedFigures, AreThoseOfFlowsAndOfTheTotalWhereThereAreSeveral) {
    RunResult run;
    run.flows = {flow_at("beta", 1)};
    EXPECT_THAT(named_figures(run), SizeIs(1));
    run.flows.push_back(flow_at("beta", 1));
    ASSERT_THAT(named_figures(run), SizeIs(3));
    EXPECT_EQ(named_figures(run).back().name, "total");
    EXPECT_EQ(named_figures(run).back().figures, &run.total);
}

}  // namespace
}  // namespace groma
