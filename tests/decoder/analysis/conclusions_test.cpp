#include "decoder/analysis/conclusions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

TEST(Total, AddsUpFlowsThatRanSideBySide) {
    SamplePair pair;
    pair.sender = empty_log(LogRole::sender, 2);
    pair.receiver = empty_log(LogRole::receiver, 2);
    pair.sender.sent = {{FlowId{1}, {sent_packet(0, 0), sent_packet(1, 1'000'000'000)}},
                        {FlowId{2}, {sent_packet(0, 500'000'000), sent_packet(1, 2'000'000'000)}}};
    pair.receiver.received = {{FlowId{1}, {received_packet(0, 0, 100), received_packet(1, 1'000'000'000, 300)}},
                              {FlowId{2}, {received_packet(1, 2'000'000'000, 100)}}};
    close(pair.sender);
    close(pair.receiver);
    const Results results = pair.analyzed();
    const TotalResult& total = results.runs.front().total;
    EXPECT_EQ(total.sent->packets, 4U);
    EXPECT_EQ(total.received->packets, 3U);
    EXPECT_EQ(total.loss.packets, 1U);
    EXPECT_EQ(total.received->duration(), Nanos{2'000'000'000});
    EXPECT_DOUBLE_EQ(total.received->throughput_bps().value(), 2 / 2.0 * 500 * 8);
    EXPECT_EQ(total.received->delay_ns.count, 3U);
    EXPECT_DOUBLE_EQ(total.received->jitter_ditg_ns.value(), 200);
    ASSERT_EQ(total.series.size(), 3U);
    EXPECT_EQ(total.series[0].sent_packets, 2U);
    EXPECT_EQ(total.series[0].lost, 1U);
}

/// The small pair, on one kernel, with arrivals that the interface stamped.
SamplePair stamped_by_hardware() {
    SamplePair pair = small_pair();
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        log->metadata.flows.front().spec.options.arrival_stamps = StampSource::hardware;
    }
    pair.receiver.metadata.timestamps = "hardware";
    return pair;
}

TEST(Conclusions, OfArrivalsWithTheInterfacesClockHaveRelativeDelays) {
    const Results results = stamped_by_hardware().analyzed();
    const FlowResult& flow = only_flow(results);
    EXPECT_EQ(flow.clock.kind, ClockState::Kind::interface);
    EXPECT_EQ(flow.received->delay_ns.min, 0);
    EXPECT_EQ(flow.received->delay_ns.max, 2'000'000);
    EXPECT_EQ(results.runs.front().total.received->delay_ns.count, 0U);
}

TEST(Conclusions, TimesOfTwoClocksAreNotMixedInOneFigure) {
    SamplePair pair = stamped_by_hardware();
    pair.receiver.totals->flows.front().counters.emplace_back("unstamped_packets", 1);
    const Results results = pair.analyzed();
    const ReceivedFigures& received = *only_flow(results).received;
    EXPECT_EQ(received.delay_ns.count + received.pdv_ns.count + received.ipdv_ns.count + received.gaps_ns.count, 0U);
    EXPECT_FALSE(received.jitter_ditg_ns or received.jitter_rfc3550_ns or received.jitter_rfc3550_max_ns);
    EXPECT_EQ(received.packets, 3U);
    EXPECT_THAT(only_flow(results).notes,
                testing::Contains(testing::HasSubstr("the time of arrival of 1 packet is the host's")));
}

TEST(Total, IsUnknownWhereAFlowsFigureIs) {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows = empty_log(LogRole::sender, 2).metadata.flows;
    close(pair.sender);
    const Results results = pair.analyzed();
    const TotalResult& total = results.runs.front().total;
    EXPECT_EQ(total.flows, 2U);
    EXPECT_EQ(total.sent->packets, 3U);
    EXPECT_FALSE(total.received);
    EXPECT_EQ(total.loss.packets, std::nullopt);
    EXPECT_EQ(total.loss.at_least, 1U);
}

}  // namespace
}  // namespace groma
