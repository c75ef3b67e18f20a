#include "sender/engine/flow_parts.hpp"

#include <gtest/gtest.h>

#include "tests/sender/fake_channel.hpp"

namespace groma {

namespace {

using namespace std::chrono_literals;

constexpr MonoTime kFlowEnd{10s};

TEST(Overtime, OfAFlowWithoutADurationIsNeverOver) {
    EXPECT_FALSE(Overtime().is_over(MonoTime{24h}));
}

TEST(Overtime, IsOverASecondAfterTheEnd) {
    Overtime overtime;
    overtime.end_at(kFlowEnd);
    overtime.note_turn(kFlowEnd);
    EXPECT_FALSE(overtime.is_over(kFlowEnd + 999ms));
    EXPECT_TRUE(overtime.is_over(kFlowEnd + 1s));
}

TEST(Overtime, BeginsAnewOnceForAFlowThatHadNoTurnSinceBeforeItsEnd) {
    Overtime overtime;
    overtime.end_at(kFlowEnd);
    overtime.note_turn(kFlowEnd - 1ns);
    EXPECT_FALSE(overtime.is_over(kFlowEnd + 5s));
    overtime.note_turn(kFlowEnd + 5s);
    EXPECT_EQ(overtime.gives_up_at(), kFlowEnd + 6s);
    EXPECT_TRUE(overtime.is_over(kFlowEnd + 6s));
}

TEST(Overtime, IsOverForAFlowThatWasBlockedAllTheTime) {
    Overtime overtime;
    overtime.end_at(kFlowEnd);
    overtime.note_turn(kFlowEnd - 1s);
    overtime.note_blocked(true);
    EXPECT_TRUE(overtime.is_over(kFlowEnd + 5s));
}

TEST(DepartureLead, OfNothingLetsPacketsLeaveWhenTheyAreSent) {
    const DepartureLead lead(0ns);
    EXPECT_FALSE(lead.any());
    EXPECT_EQ(lead.leaves_at(kFlowEnd, kFlowEnd - 1ms), kFlowEnd - 1ms);
}

TEST(DepartureLead, LetsPacketsLeaveWhenTheyAreDueOrAtOnceIfTheyAreLate) {
    const DepartureLead lead(1ms);
    EXPECT_EQ(lead.leaves_at(kFlowEnd, kFlowEnd - 1ms), kFlowEnd);
    EXPECT_EQ(lead.leaves_at(kFlowEnd, kFlowEnd + 1ms), kFlowEnd + 1ms);
}

TEST(DepartureLead, AwaitsTheLastDepartureUntilTheQueueIsEmpty) {
    ManualClock clock;
    FakeWire wire;
    wire.empty_at = kFlowEnd + 1s;
    const FakeChannel channel(wire, clock);
    DepartureLead lead(1ms);
    EXPECT_FALSE(lead.next_poll(channel, kFlowEnd)) << "nothing was handed over";
    lead.note_departure(kFlowEnd);
    EXPECT_EQ(lead.next_poll(channel, kFlowEnd - 1ms), kFlowEnd + 5ms);
    EXPECT_EQ(lead.next_poll(channel, kFlowEnd + 5ms), kFlowEnd + 10ms);
    wire.empty_at = MonoTime{};
    EXPECT_FALSE(lead.next_poll(channel, kFlowEnd + 10ms));
}

TEST(Refusals, GiveTheSecondTryOfAPacketUp) {
    Refusals refusals;
    SendCounts counts;
    const SendOutcome refused{.status = SendStatus::refused};
    EXPECT_EQ(refusals.count(refused, counts), 0U);
    EXPECT_EQ(refusals.count(refused, counts), 1U);
    EXPECT_EQ(refusals.count(refused, counts), 0U) << "the next packet has its own two";
    EXPECT_EQ(counts.refused, 3U);
    EXPECT_EQ(counts.given_up, 1U);
}

TEST(Refusals, GiveAPacketUpThatTheKernelOrThePathCannotTake) {
    Refusals refusals;
    SendCounts counts;
    EXPECT_EQ(refusals.count({.status = SendStatus::dropped}, counts), 1U);
    EXPECT_EQ(refusals.count({.status = SendStatus::too_big}, counts), 1U);
    EXPECT_EQ(refusals.count({.sent = 3, .status = SendStatus::sent}, counts), 0U);
    EXPECT_EQ(counts.dropped, 1U);
    EXPECT_EQ(counts.too_big, 1U);
    EXPECT_EQ(counts.unsent(), 2U);
}

}  // namespace

}  // namespace groma
