// Departure by the kernel in virtual time: when packets are handed over, and the contents of packets and records.
#include <gtest/gtest.h>

#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec held_flow(std::uint64_t packets, Nanos lead, Nanos gap = 1ms) {
    FlowSpec spec = steady_flow(1, packets, gap);
    spec.options.departure_lead = lead;
    return spec;
}

/// The eleventh call takes ten and a half milliseconds.
void stall_once(FakeWire& wire) {
    wire.on_send = [&wire] { wire.cost = wire.calls.size() == 10 ? 10'500us : 0us; };
}

TEST(DepartureSimulation, PacketsAreHandedOverAheadEachWithItsOwnTime) {
    SenderWorld world;
    const FakeWire& wire = world.add(held_flow(200, 4ms));
    world.begin();
    const Nanos wall_ahead{world.clock.wall_now().time_since_epoch() - world.clock.now().time_since_epoch()};
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 200U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        const FakePacket& packet = wire.packets[i];
        ASSERT_EQ(packet.departs, world.start + i * 1ms);
        ASSERT_LE(packet.departs - packet.at, 4ms);
        ASSERT_GT(packet.departs - packet.at, 0ms);
        ASSERT_EQ(packet.header.sent_at.value_or(WallTime{}).time_since_epoch(),
                  packet.departs.time_since_epoch() + wall_ahead);
    }
    EXPECT_LE(wire.calls.size(), 101U) << "while half of the lead is left, nothing is handed over";
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_EQ(outcome.counts.held_by_kernel, 200U);
    EXPECT_EQ(outcome.counts.end, FlowEnd::complete);
    EXPECT_GE(world.clock.now(), wire.packets.back().departs) << "a flow ends when its last packet has left";
}

TEST(DepartureSimulation, AFlowEndsWhenItsLastPacketHasLeftTheQueueAndNoLaterThanHalfASecondAfterItsTime) {
    for (const Nanos late : {0ms, 4ms, 50ms, 400ms, 10'000ms}) {
        SenderWorld world;
        FakeWire& wire = world.add(held_flow(100, 4ms));
        world.begin();
        const MonoTime last = world.start + 99ms;
        wire.empty_at = last + late;
        ASSERT_TRUE(world.run());
        ASSERT_EQ(wire.packets.back().departs, last);
        EXPECT_GE(world.clock.now() - last, std::min<Nanos>(late, 490ms));
        EXPECT_LE(world.clock.now() - last, std::min<Nanos>(late + 6ms, 500ms));
        EXPECT_TRUE(wire.finished_in);
    }
}

TEST(DepartureSimulation, RecordsAreOfTheDepartureNotOfTheCall) {
    SenderWorld world;
    FlowSpec spec = held_flow(300, 10ms);
    spec.idt = Exponential{500'000};
    const FakeWire& wire = world.add(spec);
    world.begin();
    ASSERT_TRUE(world.run());
    const std::vector<SentRecord> records = world.records(0);
    ASSERT_EQ(records.size(), 300U);
    for (std::size_t i = 0; i < records.size(); ++i) {
        ASSERT_EQ(records[i].lateness, 0ns);
        ASSERT_EQ(records[i].batch, 1U) << "they share a call and not a departure";
        ASSERT_EQ(records[i].sent_at, wire.packets[i].header.sent_at);
    }
}

TEST(DepartureSimulation, ASleepThatEndsALittleTooLateDelaysNothing) {
    SenderWorld world;
    world.clock.set_oversleep(900us);
    const FakeWire& wire = world.add(held_flow(500, 2ms));
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 500U);
    EXPECT_EQ(world.flow(0).outcome("").counts.held_by_kernel, 500U);
    for (const SentRecord& record : world.records(0)) {
        ASSERT_EQ(record.lateness, 0ns);
    }
}

TEST(DepartureSimulation, WhatIsHandedOverTooLateLeavesAtOnceAndIsLate) {
    SenderWorld world;
    FakeWire& wire = world.add(held_flow(100, 2ms));
    stall_once(wire);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    const std::vector<SentRecord> records = world.records(0);
    std::size_t late = 0;
    for (std::size_t i = 0; i < 100; ++i) {
        const MonoTime due = world.start + i * 1ms;
        ASSERT_EQ(records[i].lateness, wire.packets[i].departs - due);
        if (records[i].lateness > 0ns) {
            ++late;
            ASSERT_EQ(wire.packets[i].departs, wire.packets[i].at);
            ASSERT_GT(records[i].batch, 1U);
        } else {
            ASSERT_EQ(wire.packets[i].departs, due);
        }
    }
    EXPECT_GE(late, 7U);
    EXPECT_LE(late, 10U);
    EXPECT_EQ(world.flow(0).outcome("").counts.held_by_kernel, 100 - late);
    EXPECT_EQ(wire.packets.back().departs, world.start + 99ms) << "the flow catches up";
}

TEST(DepartureSimulation, ASlotIsMissedWhenTheNextDepartureIsOverNotWhenItIsNearEnoughToBeHandedOver) {
    SenderWorld world;
    FlowSpec spec = held_flow(100, 5ms);
    spec.lateness = LatenessPolicy::skip;
    FakeWire& wire = world.add(spec);
    stall_once(wire);
    world.begin();
    ASSERT_TRUE(world.run());
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_GE(outcome.counts.missed_slots, 3U);
    EXPECT_LE(outcome.counts.missed_slots, 9U);
    ASSERT_EQ(wire.packets.size() + outcome.counts.missed_slots, 100U);
    const std::vector<SentRecord> records = world.records(0);
    for (const SentRecord& record : records) {
        ASSERT_LT(record.lateness, 1ms);
    }
    EXPECT_EQ(outcome.counts.held_by_kernel + 1, wire.packets.size()) << "one late packet, whose slot was not over";
}

TEST(DepartureSimulation, AShiftedFlowKeepsItsGaps) {
    SenderWorld world;
    FlowSpec spec = held_flow(100, 2ms);
    spec.lateness = LatenessPolicy::shift;
    FakeWire& wire = world.add(spec);
    stall_once(wire);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    EXPECT_GT(world.flow(0).outcome("").counts.shifted, 7ms);
    EXPECT_EQ(wire.packets[99].departs - wire.packets[50].departs, 49ms);
}

TEST(DepartureSimulation, AFlowOfTheProgramBesideItKeepsItsTimes) {
    SenderWorld world;
    world.add(held_flow(300, 2ms, 300us));
    FlowSpec own = steady_flow(2, 100, 1ms);
    const FakeWire& wire = world.add(own);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_EQ(wire.packets[i].at, world.start + i * 1ms);
    }
}

TEST(DepartureSimulation, AFullSocketIsWaitedFor) {
    SenderWorld world;
    FakeWire& wire = world.add(held_flow(100, 2ms));
    world.begin();
    wire.writable_at = world.start + 20ms;
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.size(), 100U);
    EXPECT_GE(world.records(0).front().lateness, 20ms);
    EXPECT_EQ(wire.packets.back().departs, world.start + 99ms);
}

}  // namespace
}  // namespace groma
