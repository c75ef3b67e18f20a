#include "sender/plan/receiver_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

SocketAddress at(const char* address, std::uint16_t port = 9000) {
    return SocketAddress::from_literal(address, port);
}

std::vector<FlowSpec> flows(std::size_t count) {
    std::vector<FlowSpec> all(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        all[i].id = FlowId{i + 1};
    }
    return all;
}

std::vector<ReceiverPlan> plans(const std::vector<SocketAddress>& addresses) {
    return group_by_receiver(flows(addresses.size()), addresses);
}

TEST(Plan, FlowsToOneAddressShareASession) {
    const auto grouped = plans({at("10.0.0.2"), at("10.0.0.3"), at("10.0.0.2"), at("10.0.0.2", 9555)});
    ASSERT_THAT(grouped, SizeIs(3));
    EXPECT_EQ(grouped[0].address, at("10.0.0.2"));
    ASSERT_THAT(grouped[0].flows, SizeIs(2));
    EXPECT_EQ(grouped[0].flows[1].id, FlowId{3});
    EXPECT_EQ(grouped[2].address, at("10.0.0.2", 9555));
}

TEST(Plan, NoMessageCarriesMoreFlowsThanAReceiverTakes) {
    const auto pieces = in_pieces(flows(kMaxFlowsPerMessage + 1));
    ASSERT_THAT(pieces, SizeIs(2));
    EXPECT_THAT(pieces[0].flows, SizeIs(kMaxFlowsPerMessage));
    ASSERT_THAT(pieces[1].flows, SizeIs(1));
    EXPECT_EQ(pieces[1].flows[0].id, FlowId{kMaxFlowsPerMessage + 1});
}

TEST(Plan, TheOnlyReceiversLogHasTheNameThatWasGiven) {
    EXPECT_EQ(receiver_log_name("recv.glog", plans({at("10.0.0.2")}), 0), "recv.glog");
    EXPECT_EQ(receiver_log_name("", plans({at("10.0.0.2"), at("10.0.0.3")}), 1), "");
}

TEST(Plan, ReceiversThatShareAFolderDoNotShareALog) {
    const auto several = plans({at("10.0.0.2"), at("fd99::2"), at("10.0.0.3", 9000), at("10.0.0.3", 9001)});
    EXPECT_EQ(receiver_log_name("recv.glog", several, 0), "recv-10.0.0.2.glog");
    EXPECT_EQ(receiver_log_name("recv.glog", several, 1), "recv-fd99__2.glog");
    EXPECT_EQ(receiver_log_name("recv.glog", several, 2), "recv-10.0.0.3-9000.glog");
    EXPECT_EQ(receiver_log_name("recv", several, 3), "recv-10.0.0.3-9001");
}

TEST(Plan, AReceiverThatOpensOtherFlowsThanItWasAskedForIsNotBelieved) {
    const ReceiverPlan plan = plans({at("10.0.0.2"), at("10.0.0.2")})[0];
    EXPECT_NO_THROW(check_ports(plan, {{FlowId{1}, 5000}, {FlowId{2}, 5001}}));
    EXPECT_THROW(check_ports(plan, {{FlowId{1}, 5000}}), RunError);
    EXPECT_THROW(check_ports(plan, {{FlowId{1}, 5000}, {FlowId{3}, 5001}}), RunError);
    EXPECT_THROW(check_ports(plan, {{FlowId{1}, 5000}, {FlowId{2}, 0}}), RunError);
}

TEST(Plan, ReceiversThatCallInAreToldApartByTheNamesOfTheFile) {
    std::vector<FlowSpec> all = flows(4);
    all[0].target.host = "10.0.0.2";
    all[0].to_host = "beta";
    all[1].target.host = "gamma";
    all[2].target.host = "beta";
    all[3].target.host = "gamma";
    const auto grouped = group_by_name(all);
    ASSERT_THAT(grouped, SizeIs(2));
    EXPECT_EQ(grouped[0].name, "beta");
    EXPECT_THAT(grouped[0].flows, SizeIs(2));
    EXPECT_EQ(grouped[1].name, "gamma");
    EXPECT_EQ(receiver_log_name("recv.glog", grouped, 1), "recv-gamma.glog");
}

TEST(Plan, FlowsWithoutAReceiverGoToWhoeverCalls) {
    std::vector<FlowSpec> all = flows(2);
    all[0].target.host = all[1].target.host = kWhoeverCalls;
    const auto grouped = group_by_name(all);
    ASSERT_THAT(grouped, SizeIs(1));
    EXPECT_EQ(grouped[0].name, "");
}

TEST(Plan, EveryPieceSaysWhereItsFlowsAreAwaited) {
    std::vector<DialTarget> dial(kMaxFlowsPerMessage + 1);
    dial.back().port = 7;
    const auto pieces = in_pieces(flows(dial.size()), dial);
    ASSERT_THAT(pieces, SizeIs(2));
    EXPECT_THAT(pieces[0].dial, SizeIs(kMaxFlowsPerMessage));
    EXPECT_THAT(pieces[1].dial, ElementsAre(dial.back()));
}

}  // namespace
}  // namespace groma
