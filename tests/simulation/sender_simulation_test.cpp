#include <gtest/gtest.h>

#include <array>

#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

std::vector<Nanos> offsets_of(const FakeWire& wire, MonoTime start) {
    std::vector<Nanos> offsets;
    for (const FakePacket& packet : wire.packets) {
        offsets.push_back(packet.at - start);
    }
    return offsets;
}

std::vector<Nanos> offsets_asked(const FlowSpec& spec) {
    Schedule schedule(spec);
    std::vector<Nanos> offsets;
    while (const std::optional<Departure> departure = schedule.next()) {
        offsets.push_back(departure->offset);
    }
    return offsets;
}

TEST(SenderSimulation, OnAnIdleHostEveryPacketLeavesAtItsNanosecond) {
    FlowSpec spec = steady_flow(1, 2000);
    spec.idt = Exponential{300'000};
    SenderWorld world;
    const FakeWire& wire = world.add(spec);
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(offsets_of(wire, world.start), offsets_asked(spec));
    for (const SentRecord& record : world.records(0)) {
        ASSERT_EQ(record.lateness, 0ns);
    }
}

TEST(SenderSimulation, SleepsThatEndLateByLessThanTheGuardDelayNoPacket) {
    SenderWorld world;
    world.clock.set_oversleep(40us);
    const FakeWire& wire = world.add(steady_flow(1, 500));
    world.begin();
    world.run();
    EXPECT_EQ(offsets_of(wire, world.start), offsets_asked(steady_flow(1, 500)));
}

TEST(SenderSimulation, AHostThatWakesLateIsLearntAndThenNoPacketIsLate) {
    SenderWorld world;
    world.clock.set_oversleep(400us);
    world.add(steady_flow(1, 1000, 2ms));
    world.begin();
    world.run();
    EXPECT_GT(world.worker().guard(), 390us);
    const std::vector<SentRecord> records = world.records(0);
    EXPECT_GT(std::max_element(records.begin(), records.begin() + 20,
                               [](const auto& a, const auto& b) { return a.lateness < b.lateness; })
                  ->lateness,
              0us);
    std::size_t late = 0;
    for (std::size_t i = 100; i < records.size(); ++i) {
        late += records[i].lateness > 0ns ? 1U : 0U;
    }
    EXPECT_LE(late, 900U / 100);
}

TEST(SenderSimulation, AStallIsMadeGoodInABatchAndTheNextPacketIsOnTime) {
    SenderWorld world;
    FakeWire& wire = world.add(steady_flow(1, 100));
    wire.on_send = [&] {
        if (wire.calls.size() == 20) {
            world.clock.advance(10ms);
        }
    };
    world.begin();
    world.run();
    const std::vector<SentRecord> records = world.records(0);
    ASSERT_EQ(records.size(), 100U);
    // Packet 20 stalled in its call; those of the following ten milliseconds leave together.
    EXPECT_EQ(records[21].batch, 10U);
    EXPECT_EQ(records[21].lateness, 9ms);
    EXPECT_EQ(records[30].lateness, 0ms);
    for (std::size_t i = 31; i < 100; ++i) {
        ASSERT_EQ(records[i].lateness, 0ns) << "packet " << i;
        ASSERT_EQ(records[i].batch, 1U);
    }
}

TEST(SenderSimulation, ALongStallIsMadeGoodInSeveralBatchesWithoutLosingAPacket) {
    SenderWorld world;
    FakeWire& wire = world.add(steady_flow(1, 1000));
    wire.on_send = [&] { world.clock.advance(wire.calls.empty() ? 500ms : 0ms); };
    world.begin();
    world.run();
    ASSERT_EQ(wire.packets.size(), 1000U);
    for (std::uint32_t seq = 0; seq < 1000; ++seq) {
        ASSERT_EQ(wire.packets[seq].header.seq, seq);
    }
    EXPECT_EQ(world.records(0).back().lateness, 0ns);
}

TEST(SenderSimulation, OnAndOffPeriodsAreKeptToTheNanosecond) {
    FlowSpec spec = steady_flow(1, 300);
    spec.on_off = OnOff{.on = Constant{10e6}, .off = Constant{90e6}};
    SenderWorld world;
    const FakeWire& wire = world.add(spec);
    world.begin();
    world.run();
    const std::vector<Nanos> offsets = offsets_of(wire, world.start);
    EXPECT_EQ(offsets, offsets_asked(spec));
    EXPECT_TRUE(std::all_of(offsets.begin(), offsets.end(), [](Nanos offset) { return offset % 100ms < 10ms; }));
}

TEST(SenderSimulation, PacketsOfThreeHundredFlowsLeaveInTheOrderOfTheirDeadlines) {
    SenderWorld world;
    std::vector<FakeWire*> wires;
    std::vector<MonoTime> order;
    std::size_t asked = 0;
    for (std::uint32_t id = 1; id <= 300; ++id) {
        FlowSpec spec = steady_flow(id, 50);
        spec.idt = Exponential{10e6 + id * 1e4};
        spec.start_delay = Nanos{id * 1000};
        wires.push_back(&world.add(spec));
        wires.back()->on_send = [&] { order.push_back(world.clock.now()); };
        asked += offsets_asked(spec).size();
    }
    world.begin();
    ASSERT_TRUE(world.run());
    std::size_t sent = 0;
    for (std::uint32_t place = 0; place < 300; ++place) {
        sent += wires[place]->packets.size();
        for (const SentRecord& record : world.records(place)) {
            ASSERT_EQ(record.lateness, 0ns);
        }
    }
    EXPECT_EQ(sent, asked);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(SenderSimulation, AFullTcpSocketDoesNotDelayAnotherFlow) {
    SenderWorld world;
    FlowSpec tcp = steady_flow(1, 1000);
    tcp.transport = Transport::tcp;
    FakeWire& full = world.add(tcp);
    const FakeWire& other = world.add(steady_flow(2, 1000));
    world.begin();
    full.writable_at = world.start + 700ms;
    world.run();
    EXPECT_EQ(offsets_of(other, world.start), offsets_asked(steady_flow(2, 1000)));
    EXPECT_EQ(full.packets.size(), 1000U);
    EXPECT_EQ(full.packets.front().at, world.start + 700ms);
    EXPECT_GE(full.packets.front().batch, 2U);
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::complete);
}

TEST(SenderSimulation, ABlockedFlowIsServedAsSoonAsItsSocketCanBeWritten) {
    SenderWorld world;
    FakeWire& only = world.add(steady_flow(1, 10));
    world.begin();
    only.writable_at = world.start + 123'456us;
    world.run();
    EXPECT_EQ(only.packets.front().at, world.start + 123'456us);
}

TEST(SenderSimulation, ABlockedFlowIsServedEvenIfAnotherLeavesNoTimeToWait) {
    SenderWorld world;
    FakeWire& blocked = world.add(steady_flow(1, 10));
    FakeWire& busy = world.add(steady_flow(2, 10'000, 10us));
    busy.cost = 9us;
    world.begin();
    blocked.writable_at = world.start + 20ms;
    world.run_until(world.start + 50ms);
    EXPECT_EQ(blocked.packets.size(), 10U);
    EXPECT_LE(blocked.packets.front().at, world.start + 22ms);
}

TEST(SenderSimulation, AFlowThatAsksForTooMuchDelaysAnotherByOneBatchAtMost) {
    SenderWorld world(1 << 18);
    FakeWire& greedy = world.add(steady_flow(1, 1'000'000, 100ns));
    greedy.cost = 50us;
    const FakeWire& modest = world.add(steady_flow(2, 100));
    world.begin();
    world.run_until(world.start + 150ms);
    EXPECT_EQ(modest.packets.size(), 100U);
    ASSERT_EQ(world.records(1).size(), 100U);
    for (const SentRecord& record : world.records(1)) {
        ASSERT_LE(record.lateness, 50us);
    }
    EXPECT_GT(greedy.packets.size(), 100'000U);
}

TEST(SenderSimulation, FlowsThatAllAskForTooMuchGetTheirTurnsByTurns) {
    SenderWorld world;
    std::vector<FakeWire*> wires;
    for (std::uint32_t id = 1; id <= 4; ++id) {
        wires.push_back(&world.add(steady_flow(id, 1'000'000, 100ns)));
        wires.back()->cost = 50us;
    }
    world.begin();
    world.run_until(world.start + 100ms);
    for (const FakeWire* wire : wires) {
        EXPECT_NEAR(static_cast<double>(wire->packets.size()), 64 * 500, 64 * 20);
    }
}

TEST(SenderSimulation, AFlowBehindIsNotStarvedByFlowsOnSchedule) {
    SenderWorld world;
    FakeWire& behind = world.add(steady_flow(1, 1'000'000, 100ns));
    behind.cost = 50us;
    for (std::uint32_t id = 2; id <= 5; ++id) {
        world.add(steady_flow(id, 1'000'000, 40us)).cost = 10us;  // they alone fill all of the time
    }
    world.begin();
    world.run_until(world.start + 100ms);
    EXPECT_GT(behind.packets.size(), 64U * 50);
}

TEST(SenderSimulation, AFlowThatFailsLeavesTheOthersOnSchedule) {
    SenderWorld world;
    FakeWire& broken = world.add(steady_flow(1, 100));
    const FakeWire& other = world.add(steady_flow(2, 100));
    broken.answers.assign(10, {.sent = 1});
    broken.answers.push_back({.sent = 0, .status = SendStatus::closed, .errno_value = EPIPE});
    world.begin();
    EXPECT_TRUE(world.run());
    EXPECT_EQ(broken.packets.size(), 10U);
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::failed);
    EXPECT_EQ(offsets_of(other, world.start), offsets_asked(steady_flow(2, 100)));
}

TEST(SenderSimulation, EveryDepartureIsSentOrCountedWhateverFails) {
    SenderWorld world;
    FlowSpec spec = steady_flow(1, 5000);
    FakeWire& wire = world.add(spec);
    const std::array trouble{SendStatus::sent,    SendStatus::would_block, SendStatus::dropped,
                             SendStatus::too_big, SendStatus::refused,     SendStatus::refused};
    for (std::size_t i = 0; i < 3000; ++i) {
        const SendStatus status = trouble[i * 7 % trouble.size()];
        wire.answers.push_back({.sent = status == SendStatus::sent ? 1U : 0U, .status = status});
    }
    world.begin();
    ASSERT_TRUE(world.run());
    const FlowOutcome outcome = world.flow(0).outcome("");
    EXPECT_GT(outcome.counts.dropped, 0U);
    EXPECT_GT(outcome.counts.too_big, 0U);
    EXPECT_GT(outcome.counts.refused, 0U);
    EXPECT_GT(outcome.counts.blocked, 0U);
    EXPECT_EQ(wire.packets.size() + outcome.counts.dropped + outcome.counts.too_big + outcome.counts.given_up, 5000U);
    EXPECT_EQ(world.records(0).size(), wire.packets.size());
}

TEST(SenderSimulation, AFullQueueLosesRecordsAndCountsThemButLosesNoPacket) {
    SenderWorld world(128);
    const FakeWire& wire = world.add(steady_flow(1, 1000));
    world.begin();
    world.run();
    EXPECT_EQ(wire.packets.size(), 1000U);
    EXPECT_EQ(world.flow(0).outcome("").counts.records_lost, 1000U - 128U);
    EXPECT_EQ(world.records(0).size(), 128U);
}

TEST(SenderSimulation, AStopIsHeededLongBeforeADepartureMinutesAway) {
    SenderWorld world;
    FlowSpec spec = steady_flow(1, 10);
    spec.start_delay = 10min;
    world.add(spec);
    world.begin();
    EXPECT_FALSE(world.run_until(world.start + 1s));
    const MonoTime asked = world.clock.now();
    world.worker().ask_to_stop();
    EXPECT_TRUE(world.run());
    EXPECT_LE(world.clock.now() - asked, Pacer::kLongestSleep);
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::interrupted);
}

TEST(SenderSimulation, AStopEndsBlockedFlowsToo) {
    SenderWorld world;
    FakeWire& wire = world.add(steady_flow(1, 10));
    world.begin();
    wire.writable_at = MonoTime::max();
    EXPECT_FALSE(world.run_until(world.start + 1s));
    world.worker().ask_to_stop();
    EXPECT_TRUE(world.run());
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::interrupted);
}

TEST(SenderSimulation, OneFlowCanBeFailedFromOutsideWhileTheOthersGoOn) {
    SenderWorld world;
    const FakeWire& failed = world.add(steady_flow(1, 100));
    const FakeWire& other = world.add(steady_flow(2, 100));
    world.begin();
    world.run_until(world.start + 50ms);
    world.flow(0).request_failure();
    world.worker().ask_to_poll();
    EXPECT_TRUE(world.run());
    EXPECT_LE(failed.packets.size(), 51U);
    EXPECT_EQ(other.packets.size(), 100U);
    EXPECT_EQ(world.flow(0).outcome("gone").error, "gone");
}

TEST(SenderSimulation, FullSocketsAreNotAskedMoreOftenThanTheyNeed) {
    SenderWorld world;
    FakeWire& full = world.add(steady_flow(1, 1));
    world.add(steady_flow(2, 1000));
    world.begin();
    full.writable_at = world.start + 2s;
    world.run_until(world.start + 1s);
    EXPECT_LE(world.watch.looks, 4000);
}

TEST(SenderSimulation, AWorkerWithoutFlowsIsFinished) {
    SenderWorld world;
    world.begin();
    EXPECT_EQ(world.worker().step(), SendWorker::Step::finished);
}

}  // namespace
}  // namespace groma
