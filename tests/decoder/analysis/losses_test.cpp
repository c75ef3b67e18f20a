#include "decoder/analysis/losses.hpp"

#include <gtest/gtest.h>

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
    EXPECT_EQ(loss_of(sent(10), received(9, 2, 10), Transport::udp).packets, 3U);
}

TEST(Loss, IsNeverNegative) {
    EXPECT_EQ(loss_of(sent(3), received(9, 0, 10), Transport::udp).packets, 0U);
}

TEST(Loss, HasALowerBoundFromTheHighestNumber) {
    const Loss loss = loss_of(std::nullopt, received(4, 0, 7), Transport::udp);
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, 3U);
}

TEST(Loss, OfASendersLogThatWasCutShortIsALowerBound) {
    EXPECT_EQ(loss_of(sent(8, false), received(4, 0, 7), Transport::udp).at_least, 4U);
}

TEST(Loss, IsUnknownWhenTheReceiversLogWasCutShort) {
    ReceivedFigures cut = received(4, 0, 7);
    cut.whole = false;
    const Loss loss = loss_of(sent(8), cut, Transport::udp);
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, std::nullopt);
    EXPECT_EQ(loss.unknown_because, "the receiver's log was cut short");
}

TEST(Loss, IsALowerBoundWhereCopiesHaveNoNumber) {
    ReceivedFigures unnumbered = received(9, 0, 0);
    unnumbered.unnumbered = 9;
    const Loss loss = loss_of(sent(10), unnumbered, Transport::udp);
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, 1U);
    EXPECT_EQ(loss.unknown_because, "9 packets carried no sequence number, so that copies hide losses");
    EXPECT_EQ(loss_of(sent(10), unnumbered, Transport::tcp).packets, 1U);
    unnumbered.selected = true;
    unnumbered.unique = 9;
    EXPECT_EQ(loss_of(sent(10), unnumbered, Transport::icmp).at_least, 1U);
    EXPECT_EQ(loss_of(sent(10), unnumbered, Transport::sctp).packets, 1U);
}

TEST(Loss, IsALowerBoundWhereTheSenderCountedPacketsWithoutANumber) {
    SentFigures some_unnumbered = sent(10);
    some_unnumbered.counters = {{"unnumbered", 1}};
    const Loss loss = loss_of(some_unnumbered, received(9, 0, 10), Transport::udp);
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, 1U);
    EXPECT_EQ(loss.unknown_because, "packets carried no sequence number, so that copies hide losses");
    EXPECT_EQ(loss_of(some_unnumbered, received(9, 0, 10), Transport::tcp).packets, 1U);
}

TEST(Loss, CountsThatWouldWrapAreStillCounts) {
    SentFigures forged = sent(10);
    forged.counters = {{"unnumbered", UINT64_MAX}};
    ReceivedFigures one_unnumbered = received(9, 0, 10);
    one_unnumbered.unnumbered = 1;
    EXPECT_EQ(loss_of(forged, one_unnumbered, Transport::udp).packets, std::nullopt);
}

TEST(Loss, IsALowerBoundWhereCopiesWereNotCounted) {
    ReceivedFigures damaged = received(9, 0, 10);
    damaged.records_missing = 5;
    damaged.copies_counted = false;
    EXPECT_EQ(loss_of(sent(10), damaged, Transport::udp).packets, std::nullopt);
    EXPECT_EQ(loss_of(sent(10), damaged, Transport::udp).at_least, 1U);
}

/// 10 sent, 9 reached the receiver, which sent 9 back, of which 8 came, one of them twice.
FlowResult there_and_back() {
    FlowResult flow;
    flow.sent = sent(10);
    flow.received = received(9, 0, 10);
    flow.received->counters = {{"replies", 9}};
    flow.round_trip = RoundTripFigures{};
    flow.round_trip->replies = 9;
    flow.round_trip->unique = 8;
    flow.round_trip->duplicates = 1;
    return flow;
}

TEST(ReturnLosses, CopiesOfRepliesDoNotMakeUpForLostOnes) {
    FlowResult flow = there_and_back();
    add_return_losses(flow);
    EXPECT_EQ(flow.round_trip->lost, 2U);
    EXPECT_EQ(flow.round_trip->backward_lost, 1U);
}

TEST(ReturnLosses, AreUnknownWithoutNumbersUnlessTheTransportMakesNoCopies) {
    FlowResult flow = there_and_back();
    flow.round_trip->unnumbered = 1;
    add_return_losses(flow);
    EXPECT_EQ(flow.round_trip->lost, std::nullopt);
    EXPECT_EQ(flow.round_trip->backward_lost, std::nullopt);
    flow.spec.transport = Transport::tcp;
    add_return_losses(flow);
    EXPECT_EQ(flow.round_trip->backward_lost, 1U);
}

TEST(ReturnLosses, RepliesWhoseRecordsAreMissingAreNotLost) {
    FlowResult flow = there_and_back();
    flow.sent->counters = {{"returned", 9}, {"returned_duplicates", 1}};
    flow.round_trip->replies = 4;
    flow.round_trip->unique = 3;
    flow.round_trip->backward_lost = 6;
    add_return_losses(flow);
    EXPECT_EQ(flow.round_trip->records_missing, 5U);
    EXPECT_EQ(flow.round_trip->replies, 9U);
    EXPECT_EQ(flow.round_trip->lost, 2U);
    EXPECT_EQ(flow.round_trip->backward_lost, 1U);
}

FlowResult flow_with(std::uint32_t id, Loss loss) {
    FlowResult flow;
    flow.spec.id = FlowId{id};
    flow.loss = std::move(loss);
    return flow;
}

TEST(LossesTogether, AreTheSumWhereEachIsKnown) {
    const FlowResult first = flow_with(1, {3, {}, {}});
    const FlowResult second = flow_with(2, {4, {}, {}});
    const Loss loss = losses_together({{.result = &first}, {.result = &second}});
    EXPECT_EQ(loss.packets, 7U);
    EXPECT_EQ(loss.at_least, std::nullopt);
    EXPECT_EQ(loss.unknown_because, "");
}

TEST(LossesTogether, HaveALowerBoundAndAReasonWhereOneIsUnknown) {
    const FlowResult first = flow_with(1, {3, {}, {}});
    const FlowResult second = flow_with(2, {{}, 2, "its log was cut short"});
    const FlowResult none = flow_with(4, {0, {}, {}});
    const FlowResult unbounded = flow_with(5, {{}, {}, "it has no log"});
    const Loss loss = losses_together({{.result = &second}, {.result = &first}, {.result = &none}});
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, 5U);
    EXPECT_EQ(loss.unknown_because, "of flow 2: its log was cut short");
    EXPECT_EQ(losses_together({{.result = &none}, {.result = &unbounded}}).at_least, std::nullopt);
}

TEST(LossPatternsTogether, AreKnownAsFarAsEachIs) {
    FlowResult first = flow_with(1, {});
    first.loss_pattern = {.counts = LossPatternCounts{}, .to_the_end = true, .unknown_because = {}};
    first.loss_pattern.counts->lost = 2;
    FlowResult second = first;
    second.spec.id = FlowId{2};
    const Members both = {{.result = &first}, {.result = &second}};
    EXPECT_EQ(loss_patterns_together(both).counts.value().lost, 4U);
    EXPECT_TRUE(loss_patterns_together(both).to_the_end);
    first.loss_pattern.to_the_end = false;
    EXPECT_FALSE(loss_patterns_together(both).to_the_end);
    second.loss_pattern = {.counts = {}, .to_the_end = true, .unknown_because = "records are missing"};
    EXPECT_FALSE(loss_patterns_together(both).counts);
    EXPECT_EQ(loss_patterns_together(both).unknown_because, "of flow 2: records are missing");
}

}  // namespace
}  // namespace groma
