#include "receiver/live_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace groma {
namespace {

using std::chrono::seconds;

constexpr MonoTime kStart{seconds(100)};

TEST(LiveMeter, SaysWhatCameInSinceTheLastLine) {
    LiveMeter meter(kStart);
    EXPECT_EQ(
        meter.lines({.packets = 1000, .bytes = 512'000, .missing = 3, .sessions = 1, .flows = 2}, kStart + seconds(1)),
        "1 session, 2 flows: 1 kpps, 4.096 Mbit/s, lost so far 3");
    EXPECT_EQ(
        meter.lines({.packets = 1500, .bytes = 768'000, .missing = 3, .sessions = 1, .flows = 2}, kStart + seconds(3)),
        "1 session, 2 flows: 250 pps, 1.024 Mbit/s, lost so far 3");
}

TEST(LiveMeter, SaysNothingButZerosWhenNothingComes) {
    LiveMeter meter(kStart);
    EXPECT_EQ(meter.lines({}, kStart + seconds(1)), "0 sessions, 0 flows: 0 pps, 0 bit/s, lost so far 0");
}

TEST(LiveMeter, DividesByNoZeroWhenNoTimeHasPassed) {
    LiveMeter meter(kStart);
    EXPECT_EQ(meter.lines({}, kStart), "0 sessions, 0 flows: 0 pps, 0 bit/s, lost so far 0");
}

LiveFlow flow_of(const std::string& peer, std::uint32_t id, ArrivedSoFar arrived) {
    return {.peer = peer, .so_far = {.flow = FlowId{id}, .arrived = arrived}};
}

TEST(LiveMeter, HasALineForEachOfSeveralFlows) {
    LiveMeter meter(kStart);
    const auto totals = [](std::uint64_t more) {
        return LiveTotals{.sessions = 2,
                          .flows = 2,
                          .each_flow = {flow_of("10.0.0.1:40000", 1, {.packets = 10 + more, .bytes = 1000 + more}),
                                        flow_of("10.0.0.3:50000", 1, {.packets = 5, .bytes = 500, .missing = 2})}};
    };
    EXPECT_EQ(meter.lines(totals(0), kStart + seconds(1)),
              "2 sessions, 2 flows: 0 pps, 0 bit/s, lost so far 0\n"
              "  10.0.0.1:40000 flow 1: 10 pps, 8 kbit/s, lost so far 0\n"
              "  10.0.0.3:50000 flow 1: 5 pps, 4 kbit/s, lost so far 2");
    EXPECT_EQ(meter.lines(totals(20), kStart + seconds(3)),
              "2 sessions, 2 flows: 0 pps, 0 bit/s, lost so far 0\n"
              "  10.0.0.1:40000 flow 1: 10 pps, 80 bit/s, lost so far 0\n"
              "  10.0.0.3:50000 flow 1: 0 pps, 0 bit/s, lost so far 2");
}

TEST(LiveMeter, HasLinesForTenOfManyFlowsAndCountsTheOthers) {
    LiveMeter meter(kStart);
    LiveTotals totals{.sessions = 1, .flows = 12};
    for (std::uint32_t id = 1; id <= 12; ++id) {
        totals.each_flow.push_back(flow_of("a", id, {.packets = id}));
    }
    const std::string lines = meter.lines(totals, kStart + seconds(1));
    EXPECT_EQ(std::ranges::count(lines, '\n'), 11);
    EXPECT_TRUE(lines.ends_with("  a flow 10: 10 pps, 0 bit/s, lost so far 0\n  and 2 more flows"));
    totals.each_flow.erase(totals.each_flow.begin(), totals.each_flow.begin() + 10);
    totals.flows = 2;
    EXPECT_TRUE(meter.lines(totals, kStart + seconds(2)).ends_with("  a flow 12: 0 pps, 0 bit/s, lost so far 0"))
        << "what came before a flow had a line is not in its first one";
}

TEST(LiveMeter, OfVeryManyFlowsHasNoLinesButTheirNumber) {
    LiveMeter meter(kStart);
    EXPECT_EQ(meter.lines({.sessions = 1, .flows = 2000}, kStart + seconds(1)),
              "1 session, 2000 flows: 0 pps, 0 bit/s, lost so far 0");
}

}  // namespace
}  // namespace groma
