#include "receiver/receiving_run.hpp"

#include <gmock/gmock.h>

#include "tests/kernel_clock.hpp"
#include "tests/receiver/receiver_fixture.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

/// The session comes from 127.0.0.1, the flow from 127.0.0.2.
class ReceivingRunTest : public ReceiverFixture {
protected:
    ReceivingRunTest() { start(); }

    static FlowSpec flow_from(const std::string& source, Transport transport = Transport::udp) {
        FlowSpec spec = flow(1, transport);
        spec.options.source = source;
        return spec;
    }

    std::string refusal_of(const FlowSpec& spec) {
        TestSender sender(address());
        (void)sender.ask(TestSender::hello());
        return std::get<Refused>(sender.ask(OpenFlows{{spec}})).reason;
    }
};

TEST_F(ReceivingRunTest, TakesAFlowFromTheSourceThatTheSenderNames) {
    for (const Transport transport : {Transport::udp, Transport::tcp}) {
        const FlowSpec spec = flow_from("127.0.0.2", transport);
        TestSender sender(address());
        const std::string name = std::string(to_string(transport)) + ".glog";
        const auto ports = begin(sender, {spec}, name);
        TestFlow sending(FlowId{1}, transport, ports.at(0), spec.options);
        ASSERT_TRUE(sending.send(0));
        ASSERT_TRUE(sending.finish());
        const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = TestFlow::kSize}});
        EXPECT_EQ(results.flows.at(0).packets, 1U);
        EXPECT_EQ(results.flows.at(0).foreign, 0U);
        EXPECT_EQ(log(name).metadata->flows.at(0).remote_address, "127.0.0.2");
    }
}

TEST_F(ReceivingRunTest, TakesItFromNowhereElse) {
    TestSender sender(address());
    const auto ports = begin(sender, {flow_from("127.0.0.2")});
    TestFlow other(FlowId{1}, Transport::udp, ports.at(0));
    ASSERT_TRUE(other.send(0));
    TestFlow named(FlowId{1}, Transport::udp, ports.at(0), flow_from("127.0.0.2").options);
    ASSERT_TRUE(named.send(1));
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = TestFlow::kSize}});
    EXPECT_EQ(results.flows.at(0).packets, 1U);
    EXPECT_EQ(results.flows.at(0).foreign, 1U);
}

TEST_F(ReceivingRunTest, RefusesASourceThatCannotBe) {
    EXPECT_THAT(refusal_of(flow_from("fd99::1")), HasSubstr("different families"));
    EXPECT_THAT(refusal_of(flow_from("nowhere")), HasSubstr("nowhere"));
}

TEST_F(ReceivingRunTest, SendsNothingBackToAHostThatDidNotAsk) {
    FlowSpec spec = flow_from("127.0.0.2");
    spec.meter = Meter::round_trip;
    EXPECT_THAT(refusal_of(spec), HasSubstr("127.0.0.1 only"));
}

TEST(ReceivingRunSpread, GivesFlowsToTheWorkersThatHaveLeastToDoWhateverSessionTheyAreOf) {
    ReceiveWorkers workers;
    workers.push_back(std::make_unique<ReceiveWorker>("one"));
    workers.push_back(std::make_unique<ReceiveWorker>("two"));
    const auto flow = [](std::uint32_t id, double pps) {
        FlowSpec spec;
        spec.id = FlowId{id};
        spec.idt = Constant{1e9 / pps};
        return spec;
    };
    const SocketAddress loopback = SocketAddress::from_literal("127.0.0.1", 0);
    ReceivingRun first({.bind_to = loopback, .peer = loopback}, workers, kernel_clock());
    ReceivingRun second({.bind_to = loopback, .peer = loopback}, workers, kernel_clock());
    ASSERT_TRUE(std::holds_alternative<FlowsOpened>(first.open({flow(1, 100), flow(2, 100), flow(3, 1000)})));
    ASSERT_TRUE(std::holds_alternative<FlowsOpened>(second.open({flow(1, 400)})));
    first.start(nullptr, 0);
    EXPECT_DOUBLE_EQ(workers[0]->expected_pps(), 1000);
    EXPECT_DOUBLE_EQ(workers[1]->expected_pps(), 200);
    second.start(nullptr, 0);
    EXPECT_DOUBLE_EQ(workers[1]->expected_pps(), 600);
    first.stop();
    EXPECT_DOUBLE_EQ(workers[0]->expected_pps(), 0);
    EXPECT_DOUBLE_EQ(workers[1]->expected_pps(), 400);
}

TEST(ReceivingRunDelays, AreWatchedWhileThereIsRoomForThoseOfAllSessions) {
    ReceiveWorkers workers;
    workers.push_back(std::make_unique<ReceiveWorker>("one"));
    const SocketAddress loopback = SocketAddress::from_literal("127.0.0.1", 0);
    std::vector<FlowSpec> two(2);
    two[0].id = FlowId{1};
    two[1].id = FlowId{2};
    WatchedFlows room(3);
    {
        ReceivingRun first({.bind_to = loopback, .peer = loopback}, workers, kernel_clock());
        ReceivingRun second({.bind_to = loopback, .peer = loopback}, workers, kernel_clock());
        ASSERT_TRUE(std::holds_alternative<FlowsOpened>(first.open(two)));
        ASSERT_TRUE(std::holds_alternative<FlowsOpened>(second.open(two)));
        first.watch_delays(room);
        second.watch_delays(room);
        EXPECT_FALSE(room.take(2));
        EXPECT_TRUE(room.take(1)) << "the second run took none";
        room.give_back(1);
    }
    EXPECT_TRUE(room.take(3)) << "at the end of a run its room is free again";
}

}  // namespace
}  // namespace groma
