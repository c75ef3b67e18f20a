#include "sender/plan/group_flows.hpp"

#include <gmock/gmock.h>

#include <set>

namespace groma {
namespace {

using testing::SizeIs;

constexpr std::string_view kRun = "0123456789abcdef0123456789abcdef";

FlowSpec flow(std::uint32_t id) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.target.host = "beta";
    return spec;
}

TEST(GroupFlows, TheirPortsAreDynamicOnesAndTheSameEveryTime) {
    EXPECT_EQ(group_port(flow(1), kRun), group_port(flow(1), kRun));
    EXPECT_GE(group_port(flow(1), kRun), 49152);
    EXPECT_NE(group_port(flow(1), kRun), group_port(flow(1), "f0123456"));
}

TEST(GroupFlows, NoTwoOfARunHaveOnePort) {
    std::set<std::uint16_t> ports;
    for (std::uint32_t id = 1; id <= 16384; ++id) {
        ports.insert(group_port(flow(id), kRun));
    }
    EXPECT_THAT(ports, SizeIs(16384));
}

TEST(GroupFlows, ThePortIsOfTheRangeThatWasAskedFor) {
    FlowSpec asks = flow(7);
    asks.options.ports = PortRange{5000, 5003};
    std::set<std::uint16_t> ports;
    for (std::uint32_t id = 1; id <= 4; ++id) {
        asks.id = FlowId{id};
        ports.insert(group_port(asks, kRun));
    }
    EXPECT_EQ(ports, (std::set<std::uint16_t>{5000, 5001, 5002, 5003}));
}

TEST(GroupFlows, EachReceiverIsAskedForTheFlowAtTheSamePort) {
    FlowSpec group = flow(2);
    group.target.data_port = std::uint16_t{5000};
    group.also_to = {Target{"gamma", 9001, {}}, Target{"delta", 9002, {}}};
    const std::vector<FlowSpec> each = one_for_each_receiver({flow(1), group});
    ASSERT_THAT(each, SizeIs(4));
    EXPECT_EQ(each[0], flow(1));
    EXPECT_EQ(each[2].target.host, "gamma");
    EXPECT_EQ(each[3].target.control_port, 9002);
    for (std::size_t i = 1; i < each.size(); ++i) {
        EXPECT_EQ(each[i].id, FlowId{2});
        EXPECT_EQ(each[i].target.data_port, std::uint16_t{5000});
    }
}

}  // namespace
}  // namespace groma
