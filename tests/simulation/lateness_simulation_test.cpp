// What happens to late packets under each policy, in virtual time.
#include <gtest/gtest.h>

#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec flow_with(LatenessPolicy policy, std::uint64_t packets, Nanos gap = 1ms) {
    FlowSpec spec = steady_flow(1, packets, gap);
    spec.lateness = policy;
    return spec;
}

/// The 21st packet's call takes ten and a half milliseconds.
void stall_once(SenderWorld& world, FakeWire& wire) {
    wire.on_send = [&world, &wire] {
        if (wire.calls.size() == 20) {
            world.clock.advance(10'500us);
        }
    };
}

TEST(LatenessSimulation, OnAnIdleHostThePoliciesAreTheSame) {
    for (const LatenessPolicy policy : {LatenessPolicy::catch_up, LatenessPolicy::skip, LatenessPolicy::shift}) {
        SenderWorld world;
        FlowSpec spec = flow_with(policy, 500);
        spec.idt = Exponential{300'000};
        const FakeWire& wire = world.add(spec);
        world.begin();
        ASSERT_TRUE(world.run());
        EXPECT_EQ(wire.packets.size(), 500U);
        const FlowOutcome outcome = world.flow(0).outcome("");
        EXPECT_EQ(outcome.counts.missed_slots, 0U);
        EXPECT_EQ(outcome.counts.shifted, 0ns);
        for (const SentRecord& record : world.records(0)) {
            ASSERT_EQ(record.lateness, 0ns);
        }
    }
}

TEST(LatenessSimulation, SkippedDeparturesAreCountedAndLeaveNoHoleInTheSequence) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::skip, 100));
    stall_once(world, wire);
    world.begin();
    ASSERT_TRUE(world.run());
    // Packet 20 stalled in its call until 30.5 ms; the slots of 21 to 29 were over then, that of 30 was not.
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_EQ(outcome.counts.missed_slots, 9U);
    EXPECT_EQ(outcome.counts.unsent_between, 9U);
    EXPECT_EQ(outcome.counts.end, FlowEnd::complete);
    ASSERT_EQ(wire.packets.size(), 91U);
    const std::vector<SentRecord> records = world.records(0);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_EQ(wire.packets[i].header.seq, i);
        ASSERT_EQ(records[i].seq, i);
        ASSERT_EQ(records[i].batch, 1U);
    }
    EXPECT_EQ(records[21].lateness, 500us);
    EXPECT_EQ(wire.packets[21].at - world.start, 30'500us);
    EXPECT_EQ(wire.packets[22].at - world.start, 31ms);
    EXPECT_EQ(records[22].lateness, 0ns);
    EXPECT_EQ(wire.packets.back().at - world.start, 99ms);
}

TEST(LatenessSimulation, DeparturesAtOneInstantShareTheirSlot) {
    SenderWorld world;
    FlowSpec spec = flow_with(LatenessPolicy::skip, 3000);
    spec.idt = FromFile{"gaps", {0, 0, 1e6}};  // three at each millisecond
    const FakeWire& wire = world.add(spec);
    world.clock.set_oversleep(100us);
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(world.flow(0).outcome("").counts.missed_slots, 0U);
    EXPECT_EQ(wire.packets.size(), 3000U);
}

TEST(LatenessSimulation, AFlowThatSkipsKeepsItsTimesOnAHostThatIsTooSlow) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::skip, 10'000, 10us));
    wire.cost = 25us;
    world.begin();
    ASSERT_TRUE(world.run());
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_EQ(wire.packets.size() + outcome.counts.missed_slots, 10'000U);
    EXPECT_NEAR(static_cast<double>(wire.packets.size()), 4000, 10);
    const std::vector<SentRecord> records = world.records(0);
    for (std::size_t i = 0; i + 1 < records.size(); ++i) {  // the slot of the last one has no end
        ASSERT_LT(records[i].lateness, 10us);
    }
}

TEST(LatenessSimulation, ManyMissedDeparturesAreLeftOutInSeveralTurns) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::skip, 100'000, 1us));
    wire.on_send = [&] { world.clock.advance(wire.calls.size() == 1 ? 50ms : 0ms); };
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(world.flow(0).outcome("").counts.missed_slots, 49'999U);
    EXPECT_EQ(wire.packets.size(), 50'001U);
}

TEST(LatenessSimulation, AShiftedFlowKeepsItsGapsAndTellsHowLateItBecame) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::shift, 100));
    stall_once(world, wire);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    // 21 was due at 21 ms and left at 30.5 ms; from there on the gaps are as drawn.
    EXPECT_EQ(wire.packets[21].at - world.start, 30'500us);
    for (std::size_t i = 22; i < 100; ++i) {
        ASSERT_EQ(wire.packets[i].at - wire.packets[i - 1].at, 1ms);
        ASSERT_EQ(wire.packets[i].batch, 1U);
    }
    EXPECT_EQ(world.flow(0).outcome("").counts.shifted, 9'500us);
    const std::vector<SentRecord> records = world.records(0);
    EXPECT_EQ(records.back().lateness, 9'500us);  // against the schedule that was asked for
    EXPECT_EQ(records.front().lateness, 0ns);
}

TEST(LatenessSimulation, AShiftedFlowOnAHostThatIsTooSlowIsLaterWithEveryPacket) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::shift, 1000, 10us));
    wire.cost = 25us;
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.size(), 1000U);
    EXPECT_EQ(world.flow(0).outcome("").counts.shifted, 999 * 15us);
}

TEST(LatenessSimulation, ABurstOfAShiftedFlowLeavesTogether) {
    SenderWorld world;
    FlowSpec spec = flow_with(LatenessPolicy::shift, 30);
    spec.idt = FromFile{"gaps", {0, 0, 1e6}};
    const FakeWire& wire = world.add(spec);
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.calls.front(), 3U);
    EXPECT_EQ(world.flow(0).outcome("").counts.shifted, 0ns);
}

TEST(LatenessSimulation, AFullSocketMakesAFlowSkipAsAStallDoes) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::skip, 100));
    world.begin();
    wire.writable_at = world.start + 50'500us;
    ASSERT_TRUE(world.run());
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_EQ(outcome.counts.missed_slots, 50U);
    EXPECT_EQ(outcome.counts.unsent_between, 0U);  // the first packet sent was the one of 50 ms
    EXPECT_EQ(wire.packets.size(), 50U);
    EXPECT_EQ(wire.packets.front().header.seq, 0U);
}

TEST(LatenessSimulation, WhatWasRefusedBetweenFirstAndLastPacketIsKnown) {
    SenderWorld world;
    FakeWire& wire = world.add(flow_with(LatenessPolicy::catch_up, 100));
    const SendOutcome refused{.sent = 0, .status = SendStatus::dropped, .errno_value = ENOBUFS};
    wire.answers = {refused, {.sent = 1}, refused, refused, {.sent = 1}};
    wire.on_send = [&] {
        if (wire.calls.size() == 99) {
            wire.answers = {refused};
        }
    };
    world.begin();
    ASSERT_TRUE(world.run());
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_EQ(outcome.counts.dropped, 4U);
    EXPECT_EQ(outcome.counts.unsent_between, 2U);
    EXPECT_EQ(wire.packets.size(), 96U);
}

}  // namespace
}  // namespace groma
