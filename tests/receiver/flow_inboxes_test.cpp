#include "receiver/flow_inboxes.hpp"

#include <gmock/gmock.h>

#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

const SocketAddress kSession = SocketAddress::from_literal("127.0.0.1", 0);

FlowSpec flow_over(Transport transport) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.transport = transport;
    return spec;
}

FlowSpec flow_from(const std::string& source, Meter meter = Meter::one_way) {
    FlowSpec spec = flow_over(Transport::udp);
    spec.options.source = source;
    spec.meter = meter;
    return spec;
}

DataPlace place_with(std::optional<PortRange> data_ports) {
    return {.bind_to = kSession, .peer = kSession, .data_ports = data_ports};
}

template <typename Action>
std::string usage_error_of(const Action& action) {
    try {
        static_cast<void>(action());
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(FlowInboxes, AFlowComesFromTheSessionsHostOrFromAnotherThatTheSenderNames) {
    const FlowInboxes inboxes(place_with({}), kernel_clock());
    EXPECT_EQ(inboxes.source_of(flow_from("")), kSession);
    EXPECT_EQ(inboxes.source_of(flow_from("127.0.0.2")).host_to_string(), "127.0.0.2");
    const FlowInboxes over_ipv6(
        {.bind_to = SocketAddress::from_literal("::1", 0), .peer = SocketAddress::from_literal("fe80::1", 0)},
        kernel_clock());
    EXPECT_EQ(over_ipv6.source_of(flow_from("fe80::2%eth7")).host_to_string(), "fe80::2") << "a scope of another host";
    EXPECT_THAT(usage_error_of([&] { return over_ipv6.source_of(flow_from("127.0.0.2")); }),
                HasSubstr("are of different families"));
}

TEST(FlowInboxes, RepliesGoToTheSessionsHostOnly) {
    const FlowInboxes inboxes(place_with({}), kernel_clock());
    EXPECT_EQ(inboxes.source_of(flow_from("127.0.0.1", Meter::round_trip)), kSession);
    EXPECT_THAT(usage_error_of([&] { return inboxes.source_of(flow_from("127.0.0.2", Meter::round_trip)); }),
                HasSubstr("replies go to 127.0.0.1 only"));
}

TEST(FlowInboxes, AFlowToAGroupMustNameItsPort) {
    FlowSpec spec = flow_over(Transport::udp);
    spec.options.group = "239.1.2.3";
    FlowInboxes inboxes(place_with({}), kernel_clock());
    EXPECT_THAT(usage_error_of([&] { return inboxes.open(spec); }), HasSubstr("must name its port"));
}

TEST(FlowInboxes, DialsWhatANatLetsInOnly) {
    FlowInboxes inboxes(place_with({}), kernel_clock());
    EXPECT_THAT(usage_error_of([&] { return inboxes.dial(flow_over(Transport::icmp), 9001); }),
                HasSubstr("a receiver that dials cannot be sent ICMP"));
    // The port that the flow asks for is the sender's: that it is taken here does not matter.
    const std::unique_ptr<Inbox> holder = inboxes.open(flow_over(Transport::udp));
    FlowSpec spec = flow_over(Transport::udp);
    spec.target.data_port = holder->local_address().port();
    EXPECT_NE(inboxes.dial(spec, 9001)->local_address().port(), holder->local_address().port());
}

TEST(FlowInboxes, WhereAllOfTheReceiversPortsAreTakenTheReasonNamesThem) {
    FlowInboxes any(place_with({}), kernel_clock());
    for (const Transport transport : {Transport::udp, Transport::tcp}) {
        const std::unique_ptr<Inbox> holder = any.open(flow_over(transport));
        const std::uint16_t port = holder->local_address().port();
        FlowInboxes one(place_with(PortRange{port, port}), kernel_clock());
        try {
            static_cast<void>(one.open(flow_over(transport)));
            ADD_FAILURE() << "two flows on one port";
        } catch (const SystemError& error) {
            EXPECT_EQ(error.errno_value(), EADDRINUSE);
            EXPECT_THAT(one.reason(flow_over(transport), error), HasSubstr("only (its --data-ports)"));
        }
    }
}

TEST(FlowInboxes, TheReasonHelpsOnlyWhereTheReceiverCan) {
    const FlowInboxes limited(place_with(PortRange{5000, 5009}), kernel_clock());
    const SystemError taken("bind", EADDRINUSE);
    FlowSpec asks = flow_over(Transport::udp);
    EXPECT_THAT(limited.reason(asks, taken), HasSubstr("gives away the ports 5000-5009 only"));
    asks.options.ports = PortRange{5000, 5001};
    EXPECT_EQ(limited.reason(asks, taken), taken.what()) << "the sender chose them";
    const FlowInboxes unlimited(place_with({}), kernel_clock());
    EXPECT_EQ(unlimited.reason(flow_over(Transport::udp), taken), taken.what());
    EXPECT_THAT(unlimited.reason(asks, SystemError("open", EMFILE)), HasSubstr("ulimit -n"));
}

}  // namespace
}  // namespace groma
