// Flows that go as fast as possible, alone and beside others, in virtual time.
#include <gtest/gtest.h>

#include <cerrno>

#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec greedy_flow(std::uint32_t id, Nanos duration) {
    FlowSpec spec = steady_flow(id, 1);
    spec.idt = Greedy{};
    spec.stop = {.duration = duration, .packets = {}, .bytes = {}};
    return spec;
}

TEST(GreedySimulation, FillsItsTimeAndEndsWithIt) {
    SenderWorld world;
    FakeWire& wire = world.add(greedy_flow(1, 10ms));
    wire.cost = 50us;
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.size(), 64U * 200);
    EXPECT_EQ(wire.packets.front().at, world.start);
    EXPECT_EQ(wire.packets.back().at, world.start + 9950us);
    EXPECT_EQ(world.clock.now(), world.start + 10ms);
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_TRUE(outcome.counts.ran_to_its_end());
    for (const SentRecord& record : world.records(0)) {
        ASSERT_EQ(record.lateness, 0ns);
    }
}

TEST(GreedySimulation, HasAsMuchWaitUnsentAsItSendsInTenMilliseconds) {
    SenderWorld world(1 << 20);
    FakeWire& fast = world.add(greedy_flow(1, 250ms));
    fast.cost = 50us;
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(fast.unsent.size(), 2U);
    EXPECT_EQ(fast.unsent[0], FlowSender::kLeastUnsent);
    EXPECT_NEAR(static_cast<double>(fast.unsent[1]), 64 * 100 * 200, 6400);

    SenderWorld other(1 << 20);
    FakeWire& slow = other.add(greedy_flow(1, 250ms));
    slow.cost = 5ms;
    other.begin();
    ASSERT_TRUE(other.run());
    EXPECT_EQ(slow.unsent.size(), 1U);
}

TEST(GreedySimulation, EndsWithItsPacketsOrBytes) {
    FlowSpec packets = greedy_flow(1, 1s);
    packets.stop.packets = 100;
    FlowSpec bytes = greedy_flow(2, 1s);
    bytes.stop.bytes = Bytes{1'001};
    SenderWorld world;
    const FakeWire& first = world.add(packets);
    const FakeWire& second = world.add(bytes);
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(first.packets.size(), 100U);
    EXPECT_EQ(second.packets.size(), 11U);
}

TEST(GreedySimulation, WaitsForItsSocketAndThenGoesOnAtOnce) {
    SenderWorld world;
    FakeWire& wire = world.add(greedy_flow(1, 10ms));
    wire.cost = 50us;
    world.begin();
    wire.writable_at = world.start + 3'123us;
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.front().at, world.start + 3'123us);
    EXPECT_LE(wire.calls.size(), 140U);
}

TEST(GreedySimulation, AFullSocketDoesNotMakeItLast) {
    SenderWorld world;
    FakeWire& wire = world.add(greedy_flow(1, 200ms));
    world.begin();
    wire.writable_at = MonoTime::max();
    ASSERT_TRUE(world.run());
    EXPECT_LE(world.clock.now() - (world.start + 200ms), Pacer::kLongestSleep);
    EXPECT_TRUE(world.flow(0).outcome("").counts.ran_to_its_end());
}

TEST(GreedySimulation, WhatTheChannelHoldsIsSentAfterItsEnd) {
    SenderWorld world;
    FakeWire& wire = world.add(greedy_flow(1, 20ms));
    wire.cost = 50us;
    world.begin();
    wire.on_send = [&] {
        if (world.clock.now() >= world.start + 19'950us and world.clock.now() < world.start + 20ms) {
            wire.holding = true;
            wire.writable_at = world.start + 30ms;
        }
    };
    ASSERT_TRUE(world.run());
    EXPECT_FALSE(wire.holding);
    EXPECT_LE(wire.packets.back().at, world.start + 20ms);
    EXPECT_GE(world.clock.now(), world.start + 30ms);
    EXPECT_TRUE(world.flow(0).outcome("").counts.ran_to_its_end());
}

TEST(GreedySimulation, FlowsOnScheduleStayThere) {
    SenderWorld world(1 << 20);
    FakeWire& greedy = world.add(greedy_flow(1, 200ms));
    greedy.cost = 40us;
    world.add(steady_flow(2, 100, 1ms));
    world.add(steady_flow(3, 1000, 130us));
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_GT(greedy.packets.size(), 64U * 1000);
    for (const std::uint32_t place : {1U, 2U}) {
        for (const SentRecord& record : world.records(place)) {
            ASSERT_LE(record.lateness, 40us);
        }
    }
}

TEST(GreedySimulation, WithDeadlinesFarEnoughApartNoneIsMissed) {
    SenderWorld world(1 << 20);
    world.add(greedy_flow(1, 100ms)).cost = 40us;
    FlowSpec later = steady_flow(2, 100, 1ms);
    later.start_delay = 500us;
    const FakeWire& steady = world.add(later);
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(steady.packets.size(), 100U);
    for (const SentRecord& record : world.records(1)) {
        ASSERT_EQ(record.lateness, 0ns);
    }
}

TEST(GreedySimulation, SeveralGetTheirTurnsByTurns) {
    SenderWorld world;
    std::vector<FakeWire*> wires;
    for (std::uint32_t id = 1; id <= 4; ++id) {
        wires.push_back(&world.add(greedy_flow(id, 100ms)));
        wires.back()->cost = 50us;
    }
    world.begin();
    ASSERT_TRUE(world.run());
    for (const FakeWire* wire : wires) {
        EXPECT_EQ(wire->packets.size(), 64U * 500);
    }
}

TEST(GreedySimulation, IsNotStarvedByFlowsThatFillTheTime) {
    SenderWorld world;
    FakeWire& greedy = world.add(greedy_flow(1, 100ms));
    greedy.cost = 50us;
    for (std::uint32_t id = 2; id <= 5; ++id) {
        world.add(steady_flow(id, 1'000'000, 40us)).cost = 10us;
    }
    world.add(steady_flow(6, 1'000'000, 100ns)).cost = 50us;
    world.begin();
    world.run_until(world.start + 100ms);
    EXPECT_GT(greedy.packets.size(), 64U * 50);
}

TEST(GreedySimulation, ItsBatchesAreSmall) {
    FlowSpec spec = greedy_flow(1, 1ms);
    spec.transport = Transport::tcp;
    spec.size = Constant{50'000};
    SenderWorld world;
    FakeWire& wire = world.add(spec);
    wire.cost = 100us;
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.calls, std::vector<std::size_t>(10, 2));
}

TEST(GreedySimulation, AFullQueueOfTheHostLosesNoPacket) {
    FlowSpec spec = greedy_flow(1, 1s);
    spec.stop.packets = 100;
    SenderWorld world;
    FakeWire& wire = world.add(spec);
    wire.answers = {{.sent = 10, .status = SendStatus::dropped, .errno_value = ENOBUFS},
                    {.sent = 0, .status = SendStatus::dropped, .errno_value = ENOMEM},
                    {.sent = 20, .status = SendStatus::dropped, .errno_value = ENOBUFS}};
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    for (std::uint32_t seq = 0; seq < 100; ++seq) {
        ASSERT_EQ(wire.packets[seq].header.seq, seq);
    }
    EXPECT_EQ(wire.packets[10].at, world.start + 2 * FlowSender::kPause);
    EXPECT_EQ(world.flow(0).outcome("").counts.dropped, 0U);
    EXPECT_EQ(world.flow(0).outcome("").counts.blocked, 3U);
}

TEST(GreedySimulation, WhatAFirewallRefusesIsDropped) {
    FlowSpec spec = greedy_flow(1, 1s);
    spec.stop.packets = 100;
    SenderWorld world;
    FakeWire& wire = world.add(spec);
    wire.answers.assign(3, {.sent = 0, .status = SendStatus::dropped, .errno_value = EPERM});
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(world.flow(0).outcome("").counts.dropped, 3U);
    EXPECT_EQ(wire.packets.size(), 97U);
}

}  // namespace
}  // namespace groma
