#include "sender/run/interval_rows.hpp"

#include <gtest/gtest.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

std::vector<FlowSpec> two_flows() {
    return {flow_numbered(1), flow_numbered(2)};
}

/// What a receiver has of flows 1 and 2.
ProgressReply told(Nanos elapsed, ArrivedSoFar first, ArrivedSoFar second) {
    return {.elapsed = elapsed,
            .all = {.packets = first.packets + second.packets,
                    .bytes = first.bytes + second.bytes,
                    .missing = first.missing + second.missing},
            .flows = {{.flow = FlowId{1}, .arrived = first}, {.flow = FlowId{2}, .arrived = second}}};
}

TEST(IntervalRows, HaveWhatWasSentAndReceivedSinceTheLastOneOfEachFlowAndOfAll) {
    IntervalRows rows(two_flows());
    rows.begin({told(250ms, {}, {})});
    (void)rows.next(1s, {{FlowId{1}, 100, 1000, false}, {FlowId{2}, 10, 500, false}},
                    std::vector{told(1250ms, {90, 900, 10}, {10, 500, 0})});
    const IntervalRow row = rows.next(2s, {{FlowId{1}, 150, 1500, false}, {FlowId{2}, 30, 1500, true}},
                                      std::vector{told(2350ms, {145, 1450, 5}, {28, 1400, 1})});
    EXPECT_FALSE(row.last);
    EXPECT_EQ(row.all.from, 1s);
    EXPECT_EQ(row.all.length, 1s);
    EXPECT_EQ(row.all.sent_packets, 70U);
    EXPECT_EQ(row.all.sent_bytes, 1500U);
    EXPECT_EQ(row.all.received_packets, 73U);
    EXPECT_EQ(row.all.received_bytes, 1450U);
    EXPECT_EQ(row.all.received_over, 1100ms);
    EXPECT_EQ(row.all.missing_packets, 6U);
    EXPECT_EQ(row.all.returned_packets, std::nullopt);
    ASSERT_EQ(row.flows.size(), 2U);
    EXPECT_EQ(row.flows[0].figures.sent_packets, 50U);
    EXPECT_EQ(row.flows[0].figures.received_packets, 55U);
    EXPECT_EQ(row.flows[1].figures.sent_bytes, 1000U);
    EXPECT_EQ(row.flows[1].figures.missing_packets, 1U);
}

TEST(IntervalRows, EachFlowIsCountedByTheClockOfItsOwnReceiver) {
    IntervalRows rows(two_flows());
    const auto first = [](Nanos elapsed, std::uint64_t packets) {
        return ProgressReply{.elapsed = elapsed,
                             .all = {.packets = packets},
                             .flows = {{.flow = FlowId{1}, .arrived = {.packets = packets}}}};
    };
    const auto second = [](Nanos elapsed, std::uint64_t packets) {
        return ProgressReply{.elapsed = elapsed,
                             .all = {.packets = packets},
                             .flows = {{.flow = FlowId{2}, .arrived = {.packets = packets}}}};
    };
    rows.begin({first(0s, 0), second(500ms, 0)});
    const IntervalRow row = rows.next(2s, {{FlowId{1}, 200, 2000, false}, {FlowId{2}, 200, 2000, false}},
                                      std::vector{first(2s, 200), second(1500ms, 100)});
    EXPECT_EQ(row.flows[0].figures.received_over, 2s);
    EXPECT_EQ(row.flows[1].figures.received_over, 1s);
    EXPECT_EQ(row.all.received_over, 1500ms);
}

TEST(IntervalRows, WhatAReceiverTellsTooLateIsInTheNextOne) {
    IntervalRows rows(two_flows());
    rows.begin({told(0s, {}, {})});
    const IntervalRow without = rows.next(1s, {{FlowId{1}, 100, 1000, false}}, std::nullopt);
    EXPECT_EQ(without.all.sent_packets, 100U);
    EXPECT_EQ(without.all.received_packets, std::nullopt);
    EXPECT_EQ(without.all.missing_packets, std::nullopt);
    const IntervalRow row = rows.next(2s, {{FlowId{1}, 200, 2000, false}}, std::vector{told(2s, {200, 2000, 0}, {})});
    EXPECT_EQ(row.all.sent_packets, 100U);
    EXPECT_EQ(row.all.received_packets, 200U);
    EXPECT_EQ(row.all.received_over, 2s);
}

TEST(IntervalRows, TheTimeOfTheFirstCountsIsUnknownIfNobodyToldAtTheStart) {
    IntervalRows rows(two_flows());
    const IntervalRow row = rows.next(1s, {}, std::vector{told(5s, {10, 100, 0}, {})});
    EXPECT_EQ(row.all.received_packets, 10U);
    EXPECT_EQ(row.all.received_over, std::nullopt);
}

TEST(IntervalRows, AddUpTheReceiversOfAFlowToSeveral) {
    IntervalRows rows(two_flows());
    rows.begin({told(1s, {}, {}), told(3s, {}, {})});
    const IntervalRow row = rows.next(1s, {}, std::vector{told(2s, {10, 100, 1}, {}), told(5s, {8, 80, 2}, {})});
    EXPECT_EQ(row.flows[0].figures.received_packets, 18U);
    EXPECT_EQ(row.all.missing_packets, 3U);
    EXPECT_EQ(row.all.received_over, 1500ms);
}

TEST(IntervalRows, CountsOfAReceiverThatFallAreNoGrowth) {
    IntervalRows rows(two_flows());
    rows.begin({told(2s, {}, {})});
    (void)rows.next(1s, {}, std::vector{told(3s, {10, 100, 0}, {})});
    const IntervalRow row = rows.next(2s, {}, std::vector{told(1s, {4, 40, 0}, {})});
    EXPECT_EQ(row.all.received_packets, 0U);
    EXPECT_EQ(row.all.received_over, 0s);
    EXPECT_EQ(rows.next(3s, {}, std::vector{told(2s, {11, 110, 0}, {})}).all.received_packets, 1U);
}

TEST(IntervalRows, TellNothingMissingOfPacketsWithoutNumbersAndRepliesOnlyOfRoundTrips) {
    std::vector<FlowSpec> flows = two_flows();
    flows[0].header = HeaderLevel::none;
    flows[1].meter = Meter::round_trip;
    IntervalRows rows(flows);
    const IntervalRow row = rows.next(1s, {{FlowId{1}, 9, 9, false, 0}, {FlowId{2}, 9, 9, false, 7}},
                                      std::vector{told(1s, {9, 9, 0}, {9, 9, 0})});
    EXPECT_EQ(row.flows[0].figures.missing_packets, std::nullopt);
    EXPECT_EQ(row.flows[0].figures.returned_packets, std::nullopt);
    EXPECT_EQ(row.flows[1].figures.missing_packets, 0U);
    EXPECT_EQ(row.flows[1].figures.returned_packets, 7U);
    EXPECT_EQ(row.all.missing_packets, std::nullopt);
    EXPECT_EQ(row.all.returned_packets, 7U);
}

TEST(IntervalRows, HaveWhatConnectionsTellOfThemselves) {
    IntervalRows rows(two_flows());
    FlowProgress tcp{.flow = FlowId{1}, .retransmitted = 3, .rtt = 5ms};
    (void)rows.next(1s, {tcp, {.flow = FlowId{2}}}, std::nullopt);
    tcp.retransmitted = 10;
    const IntervalRow row = rows.next(2s, {tcp, {.flow = FlowId{2}}}, std::nullopt);
    EXPECT_EQ(row.flows[0].figures.retransmitted, 7U);
    EXPECT_EQ(row.flows[0].figures.rtt_transport, 5ms);
    EXPECT_EQ(row.flows[1].figures.retransmitted, std::nullopt);
    EXPECT_EQ(row.all.retransmitted, 7U);
    EXPECT_EQ(row.all.rtt_transport, std::nullopt) << "of two flows";
    SendReport report = faithful_run({"a", "b"});
    report.flows[0].outcome.counts.retransmitted = 12;
    EXPECT_EQ(rows.last(3s, report).all.retransmitted, 2U);
}

TEST(IntervalRows, AreOfAllFlowsTogetherOnlyWhenThereAreVeryMany) {
    IntervalRows rows(std::vector<FlowSpec>(kMostFlowsInRows + 1, flow_numbered(1)));
    EXPECT_FALSE(rows.each_flow());
    const IntervalRow row = rows.next(1s, {{FlowId{1}, 9, 90, false}}, std::nullopt);
    EXPECT_TRUE(row.flows.empty());
    EXPECT_EQ(row.all.sent_bytes, 90U);
}

TEST(IntervalRows, TheLastOneMakesTheirSumsThoseOfTheReport) {
    SendReport report = faithful_run({"a", "b"});
    report.flows[0].received->packets = 9'950;
    report.flows[0].received->bytes = 5'094'400;
    report.flows[1].outcome.counts.unnumbered = 1;  // copies are not told, and so is not what is lost
    IntervalRows rows(two_flows());
    rows.begin({told(0s, {}, {})});
    (void)rows.next(9s, {{FlowId{1}, 9'000, 4'608'000, false}, {FlowId{2}, 9'000, 4'608'000, false}},
                    std::vector{told(9s, {8'000, 4'096'000, 60}, {9'000, 4'608'000, 0})});
    const IntervalRow row = rows.last(12s, report);
    EXPECT_TRUE(row.last);
    EXPECT_EQ(row.all.from, 9s);
    EXPECT_EQ(row.all.length, 3s);
    EXPECT_EQ(row.all.sent_packets, 2'000U);
    EXPECT_EQ(row.flows[0].figures.sent_bytes, 512'000U);
    EXPECT_EQ(row.flows[0].figures.received_packets, 1'950U);
    EXPECT_EQ(row.all.received_packets, 2'950U);
    EXPECT_EQ(row.all.received_over, std::nullopt);
    EXPECT_EQ(row.all.missing_packets, std::nullopt);
    EXPECT_EQ(row.flows[0].figures.lost, 50U);
    EXPECT_EQ(row.flows[1].figures.lost, std::nullopt);
    EXPECT_EQ(row.all.lost, std::nullopt);
}

TEST(IntervalRows, OfARunWithoutResultsOfAReceiverTheLastOneTellsNothingReceived) {
    SendReport report = faithful_run();
    report.flows[0].received.reset();
    IntervalRows rows({flow_numbered(1)});
    const IntervalRow row = rows.last(12s, report);
    EXPECT_EQ(row.all.sent_packets, 10'000U);
    EXPECT_EQ(row.all.received_packets, std::nullopt);
    EXPECT_EQ(row.all.lost, std::nullopt);
}

}  // namespace
}  // namespace groma
