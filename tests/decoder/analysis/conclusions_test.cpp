#include "decoder/analysis/conclusions.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

SentFigures sent(std::uint64_t packets, bool whole = true) {
    SentFigures figures;
    figures.packets = packets;
    figures.whole = whole;
    return figures;
}

ReceivedFigures received(std::uint64_t packets, std::uint64_t duplicates, std::uint64_t next_expected) {
    ReceivedFigures figures;
    figures.packets = packets;
    figures.duplicates = duplicates;
    figures.next_expected = next_expected;
    figures.whole = true;
    return figures;
}

TEST(Loss, IsWhatWasSentLessFirstCopies) {
    EXPECT_EQ(loss_of(sent(10), received(9, 2, 10)).packets, 3U);
}

TEST(Loss, IsNeverNegative) {
    EXPECT_EQ(loss_of(sent(3), received(9, 0, 10)).packets, 0U);
}

TEST(Loss, HasALowerBoundFromTheHighestNumber) {
    const Loss loss = loss_of(std::nullopt, received(4, 0, 7));
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, 3U);
}

TEST(Loss, OfASendersLogThatWasCutShortIsALowerBound) {
    EXPECT_EQ(loss_of(sent(8, false), received(4, 0, 7)).at_least, 4U);
}

TEST(Loss, IsUnknownWhenTheReceiversLogWasCutShort) {
    ReceivedFigures cut = received(4, 0, 7);
    cut.whole = false;
    const Loss loss = loss_of(sent(8), cut);
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, std::nullopt);
    EXPECT_EQ(loss.unknown_because, "the receiver's log was cut short");
}

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
    EXPECT_EQ(total.received->duration, Nanos{2'000'000'000});
    EXPECT_DOUBLE_EQ(total.received->throughput_bps.value(), 3 * 500 * 8 / 2.0);
    EXPECT_EQ(total.received->delay_ns.count, 3U);
    EXPECT_DOUBLE_EQ(total.received->jitter_ditg_ns.value(), 200);
    ASSERT_EQ(total.series.size(), 3U);
    EXPECT_EQ(total.series[0].sent_packets, 2U);
    EXPECT_EQ(total.series[0].lost, 1U);
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
