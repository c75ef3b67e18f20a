#include "common/model/flow/flow_spread.hpp"

#include <gtest/gtest.h>

#include <array>

namespace groma {
namespace {

using Shares = std::vector<std::vector<std::uint32_t>>;

TEST(FlowSpread, GivesAFastFlowAWorkerOfItsOwn) {
    EXPECT_EQ(spread_flows(std::array{10.0, 1000.0, 10.0, 10.0}, 2), (Shares{{1}, {0, 2, 3}}));
}

TEST(FlowSpread, DealsEqualFlowsOutByTurns) {
    EXPECT_EQ(spread_flows(std::array{5.0, 5.0, 5.0, 5.0, 5.0}, 2), (Shares{{0, 2, 4}, {1, 3}}));
}

TEST(FlowSpread, CountsWhatTheWorkersHaveToDoAlready) {
    EXPECT_EQ(spread_flows(std::array{10.0, 10.0, 10.0}, std::vector{15.0, 0.0, 100.0}), (Shares{{2}, {0, 1}, {}}));
    EXPECT_EQ(spread_flows(std::array{10.0}, std::vector{1.0, 0.0}), (Shares{{}, {0}}));
    EXPECT_EQ(spread_flows({}, std::vector{1.0, 0.0}), (Shares{{}, {}}));
}

TEST(FlowSpread, StartsNoWorkerWithoutAFlow) {
    EXPECT_EQ(spread_flows(std::array{5.0, 5.0}, 8).size(), 2U);
    EXPECT_TRUE(spread_flows({}, 8).empty());
}

TEST(FlowSpread, OneWorkerIsEnoughUntilItsLoadIsTooMuch) {
    EXPECT_EQ(default_workers(std::array{1000.0, 2000.0}, 64), 1U);
    EXPECT_EQ(default_workers(std::vector<double>(1000, 100.0), 64), 1U);
    EXPECT_EQ(default_workers(std::vector<double>(1000, 101.0), 64), 2U);
    EXPECT_EQ(default_workers(std::vector<double>(50'000, 0.1), 64), 3U);
}

TEST(FlowSpread, ACoreIsLeftToTheLogThread) {
    const std::vector<double> fast(100, 1e6);
    EXPECT_EQ(default_workers(fast, 8), 7U);
    EXPECT_EQ(default_workers(fast, 2), 1U);
    EXPECT_EQ(default_workers(fast, 1), 1U);
    EXPECT_EQ(default_workers(fast, 0), 1U);
}

TEST(FlowSpread, ThereAreNoMoreWorkersThanFlows) {
    EXPECT_EQ(default_workers(std::array{1e9, 1e9}, 64), 2U);
    EXPECT_EQ(default_workers({}, 64), 1U);
}

TEST(FlowSpread, ExpectsTheReciprocalOfTheMeanGap) {
    FlowSpec spec;
    spec.idt = Exponential{2e6};
    EXPECT_DOUBLE_EQ(expected_rate(spec), 500);
}

TEST(FlowSpread, ExpectsSomethingOfAFlowWhoseGapsHaveNoMean) {
    FlowSpec spec;
    spec.idt = Cauchy{1e6, 1e3};
    EXPECT_GT(expected_rate(spec), 0);
    spec.idt = Constant{0};
    EXPECT_GT(expected_rate(spec), 0);
}

}  // namespace
}  // namespace groma
