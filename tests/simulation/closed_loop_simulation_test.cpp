// Requests that wait for their responses, in virtual time.
#include <gtest/gtest.h>

#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec requests(std::uint64_t packets, std::uint32_t in_flight = 1) {
    FlowSpec spec = steady_flow(1, packets);
    spec.idt = Greedy{};
    spec.meter = Meter::round_trip;
    spec.in_flight = in_flight;
    return spec;
}

TEST(ClosedLoopSimulation, EachRequestLeavesWhenTheResponseToTheLastOneHasCome) {
    SenderWorld world;
    const FakeWire& wire = world.add(requests(1000), 100us);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 1000U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_EQ(wire.packets[i].at - world.start, i * 100us);
    }
    EXPECT_EQ(world.replies(0).returned, 1000U) << "the flow ends with the last response";
    EXPECT_EQ(world.replies(0).rtt_ns.max(), Nanos{100us}.count());
    EXPECT_EQ(world.clock.now() - world.start, 100ms);
    EXPECT_EQ(world.watch.looks, 1000) << "one call waits for a response";
    for (const SentRecord& record : world.records(0)) {
        ASSERT_EQ(record.lateness, 0ns) << "no time was asked for";
    }
}

TEST(ClosedLoopSimulation, SeveralInFlightKeepTheirNumber) {
    SenderWorld world;
    const FakeWire& wire = world.add(requests(400, 4), 100us);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 400U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_EQ(wire.packets[i].at - world.start, i / 4 * 100us);
    }
}

TEST(ClosedLoopSimulation, ThinksBetweenResponseAndRequest) {
    FlowSpec spec = requests(100);
    spec.think = Constant{1e6};
    SenderWorld world;
    const FakeWire& wire = world.add(spec, 100us);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_EQ(wire.packets[i].at - world.start, i * 1100us);
    }
}

TEST(ClosedLoopSimulation, ALostResponseHoldsTheLoopUpAndNoLonger) {
    SenderWorld world;
    FakeWire& wire = world.add(requests(10), 100us);
    wire.unanswered = {4};
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 10U);
    EXPECT_EQ(wire.packets[4].at - world.start, 400us);
    EXPECT_EQ(wire.packets[5].at - wire.packets[4].at, RequestWindow::kPatienceWithDatagrams);
    EXPECT_EQ(world.replies(0).returned, 9U);
}

TEST(ClosedLoopSimulation, ThePatienceForAResponseIsTheUsersAndWhatWasGivenUpIsCounted) {
    FlowSpec spec = requests(10);
    spec.response_timeout = 250us;
    SenderWorld world;
    FakeWire& wire = world.add(spec, 100us);
    wire.unanswered = {4, 9};
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets[5].at - wire.packets[4].at, 250us);
    RoundTrip result = world.replies(0);
    world.flow(0).add_to(result);
    EXPECT_EQ(result.returned, 8U);
    EXPECT_EQ(result.timed_out, 2U);
    EXPECT_EQ(world.clock.now() - world.start, 8 * 100us + 2 * 250us);
}

FlowSpec requests_that_connect(std::uint64_t packets) {
    FlowSpec spec = requests(packets);
    spec.transport = Transport::tcp;
    spec.requests_per_connection = Constant{1};
    return spec;
}

TEST(ClosedLoopSimulation, ConnectionsAreCountedAndTimed) {
    SenderWorld world;
    FakeWire& wire = world.add(requests_that_connect(20), 100us);
    wire.on_send = [&wire] {
        ++wire.connections.made;
        wire.connections.last_took = wire.connections.made * 1us;
    };
    world.begin();
    ASSERT_TRUE(world.run());
    RoundTrip result = world.replies(0);
    world.flow(0).add_to(result);
    EXPECT_EQ(result.connections, 20U);
    EXPECT_EQ(result.connect_ns.count(), 20U);
    EXPECT_EQ(result.connect_ns.min(), 1000);
    EXPECT_EQ(result.connect_ns.max(), 20'000);
}

TEST(ClosedLoopSimulation, AfterAConnectionThatFailedThereIsAPauseAndTheNextRequestLeaves) {
    SenderWorld world;
    FakeWire& wire = world.add(requests_that_connect(10), 100us);
    wire.unanswered = {4, 9};
    wire.on_send = [&wire] {
        const bool fails = wire.packets.size() == 4 or wire.packets.size() == 9;
        ++(fails ? wire.connections.failed : wire.connections.made);
    };
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 10U);
    EXPECT_EQ(wire.packets[5].at - wire.packets[4].at, RequestWindow::kPause);
    EXPECT_EQ(wire.packets[6].at - wire.packets[5].at, 100us);
    RoundTrip result = world.replies(0);
    world.flow(0).add_to(result);
    EXPECT_EQ(result.returned, 8U);
    EXPECT_EQ(result.connections, 8U);
    EXPECT_EQ(result.connections_failed, 2U);
    EXPECT_EQ(result.timed_out, 0U) << "its connection failed, which is told apart";
    EXPECT_EQ(world.clock.now() - world.start, 8 * 100us + RequestWindow::kPause) << "nothing is waited for behind it";
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::complete);
}

TEST(ClosedLoopSimulation, AConnectionThatIsCutWhileItsResponseIsAwaitedMakesRoom) {
    SenderWorld world;
    FakeWire& wire = world.add(requests_that_connect(3), 100us);
    wire.unanswered = {1};
    world.begin();
    EXPECT_FALSE(world.run_until(world.start + 1ms));
    ASSERT_EQ(wire.packets.size(), 2U);
    const MonoTime cut = world.clock.now();
    ++wire.connections.failed;
    wire.writable_at = cut;
    wire.replies.push_back(
        {.received_at = world.clock.wall_now() + 1us, .header = {.seq = 0, .sent_at = {}, .flow = {}}, .size = 100});
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 3U);
    EXPECT_GE(wire.packets[2].at - cut, RequestWindow::kPause);
    EXPECT_LT(wire.packets[2].at - cut, RequestWindow::kPause + 2ms);
    RoundTrip result = world.replies(0);
    world.flow(0).add_to(result);
    EXPECT_EQ(result.connections_failed, 1U);
}

TEST(ClosedLoopSimulation, ReceiversThatNeverAnswerEndTheFlowAllTheSame) {
    SenderWorld world;
    FakeWire& wire = world.add(requests(3), 100us);
    wire.unanswered = {0, 1, 2};
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.size(), 3U);
    EXPECT_EQ(world.clock.now() - world.start, 3 * RequestWindow::kPatienceWithDatagrams);
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::complete);
}

TEST(ClosedLoopSimulation, NothingDepartsBehindItsDurationAndTheLastResponseIsWaitedFor) {
    FlowSpec spec = requests(1);
    spec.stop = {.duration = 10ms, .packets = {}, .bytes = {}};
    SenderWorld world;
    const FakeWire& wire = world.add(spec, 3ms);
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.size(), 4U);
    EXPECT_EQ(world.replies(0).returned, 4U);
    EXPECT_EQ(world.clock.now() - world.start, 12ms);
    EXPECT_FALSE(world.flow(0).outcome("").counts.cut_short);
}

TEST(ClosedLoopSimulation, AConnectionThatIsClosedFailsTheFlow) {
    SenderWorld world;
    FakeWire& wire = world.add(requests(1000), 100us);
    wire.on_send = [&wire] { wire.closed = wire.packets.size() == 10; };
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::failed);
    EXPECT_EQ(wire.packets.size(), 11U);
}

TEST(ClosedLoopSimulation, AStopEndsFlowsThatWait) {
    SenderWorld world;
    FakeWire& wire = world.add(requests(1000), 100us);
    wire.unanswered = {3};
    world.begin();
    EXPECT_FALSE(world.run_until(world.start + 10ms));
    world.worker().ask_to_stop();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(world.flow(0).outcome("").counts.end, FlowEnd::interrupted);
    EXPECT_EQ(wire.packets.size(), 4U);
}

TEST(ClosedLoopSimulation, AFullSocketIsWaitedForAndResponsesAreTakenMeanwhile) {
    SenderWorld world;
    FakeWire& wire = world.add(requests(100, 2), 100us);
    wire.on_send = [&] {
        if (wire.packets.size() == 10) {
            wire.writable_at = world.start + 5ms;
        }
    };
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(wire.packets.size(), 100U);
    EXPECT_EQ(wire.packets[10].at - world.start, 5ms);
    EXPECT_EQ(world.replies(0).rtt_ns.max(), Nanos{100us}.count());
}

TEST(ClosedLoopSimulation, AFlowOnScheduleBesideItLeavesOnTime) {
    SenderWorld world;
    world.add(requests(1000), 100us);
    FlowSpec steady = steady_flow(2, 50, 1700us);
    const FakeWire& wire = world.add(steady);
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 50U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_EQ(wire.packets[i].at - world.start, i * 1700us);
    }
}

TEST(ClosedLoopSimulation, APeerThatFloodsItWithRepliesHoldsUpNeitherOthersNorItsEnd) {
    SenderWorld world;
    FakeWire& flooded = world.add(requests(2), 100us);
    flooded.floods = true;
    const FakeWire& wire = world.add(steady_flow(2, 100));
    world.begin();
    ASSERT_TRUE(world.run());
    ASSERT_EQ(wire.packets.size(), 100U);
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        ASSERT_LE(wire.packets[i].at - world.start - i * 1ms, 2 * ClosedLoop::kBatchesInTurn * 1us);
    }
    EXPECT_EQ(flooded.packets.size(), 2U);
    EXPECT_EQ(world.replies(0).returned, 0U);
    EXPECT_GT(world.replies(0).malformed, 0U);
}

}  // namespace
}  // namespace groma
