#include "sender/plan/send_bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

SocketAddress at_port(std::string_view host, std::uint16_t port = 5000) {
    return SocketAddress::from_literal(host, port);
}

Grant with_limits(std::string_view limits) {
    return {.name = "lab", .roles = {Role::send}, .limits = parse_limits(limits)};
}

TEST(SendBounds, WithoutAnAllowanceAreAllHostsAndNoGroup) {
    const SendBounds bounds;
    EXPECT_THAT(bounds.refusal(at_port("10.0.0.2")), IsEmpty());
    EXPECT_THAT(bounds.refusal(at_port("224.0.0.251")), HasSubstr("sends nothing to 224.0.0.251"));
    EXPECT_THAT(bounds.refusal(at_port("10.0.0.2", 53)), HasSubstr("(ports=1024-65535), and this asks for 53"));
}

TEST(SendBounds, AnAllowanceNamesGroupsForClientsWithoutAKey) {
    const SendBounds bounds{.allow = parse_networks("10.0.0.0/8,239.1.0.0/16")};
    EXPECT_THAT(bounds.refusal(at_port("239.1.0.1")), IsEmpty());
    EXPECT_THAT(bounds.refusal(at_port("239.2.0.1")), HasSubstr("--allow NETWORK"));
    EXPECT_THAT(bounds.refusal(at_port("10.0.0.2", 22)), HasSubstr("asks for 22"));
}

TEST(SendBounds, WhatIsLookedUpIsWithinThem) {
    const SendBounds bounds{.allow = parse_networks("10.0.0.0/8")};
    const ResolveName resolve = within(bounds, [](std::string_view host, std::uint16_t port) {
        return at_port(host == "near" ? "10.0.0.2" : "192.0.2.1", port);
    });
    EXPECT_EQ(resolve("near", 9001), at_port("10.0.0.2", 9001));
    EXPECT_THROW((void)resolve("far", 9001), RunError);
}

TEST(SendBounds, AnAllowanceNamesAll) {
    const SendBounds bounds{.allow = parse_networks("10.0.0.0/8,239.0.0.0/8"),
                            .client = with_limits("to=10.0.0.0/16+239.1.0.0/16")};
    EXPECT_THAT(bounds.refusal(at_port("10.0.0.2")), IsEmpty());
    EXPECT_THAT(bounds.refusal(at_port("239.1.0.1")), IsEmpty());
    EXPECT_THAT(bounds.refusal(at_port("11.0.0.2")), HasSubstr("--allow NETWORK"));
    EXPECT_THAT(bounds.refusal(at_port("10.1.0.2")),
                HasSubstr("the key 'lab' allows these networks only (to=10.0.0.0/16+239.1.0.0/16)"));
    EXPECT_THAT(bounds.refusal(at_port("239.2.0.1")), HasSubstr("groma-key host FILE HOST --limits"));
    const SendBounds group_by_the_daemon_only{.allow = parse_networks("239.0.0.0/8"), .client = with_limits("flows=1")};
    EXPECT_THAT(group_by_the_daemon_only.refusal(at_port("239.1.0.1")),
                HasSubstr("the key 'lab' allows no multicast group"));
}

TEST(SendBounds, APortThatAReceiverChoseCounts) {
    FlowSpec flow;
    EXPECT_NO_THROW(check_bounds(SendBounds{}, flow, at_port("10.0.0.2", 40'000)));
    EXPECT_THROW(check_bounds(SendBounds{}, flow, at_port("10.0.0.2", 53)), RunError);
    flow.transport = Transport::icmp;
    EXPECT_NO_THROW(check_bounds(SendBounds{}, flow, at_port("10.0.0.2", 53))) << "it is an identifier";
}

std::string refused(const SendBounds& bounds, const std::function<void(ReceiverPlan&)>& change) {
    ReceiverPlan plan{.address = at_port("10.0.0.2", 9000), .flows = std::vector<FlowSpec>(1)};
    change(plan);
    try {
        check_bounds(bounds, std::span(&plan, 1));
    } catch (const RunError& error) {
        return error.what();
    }
    return {};
}

TEST(SendBounds, AreThoseOfReceiversGroupsAndPorts) {
    const SendBounds bounds;
    EXPECT_THAT(refused(bounds, [](ReceiverPlan&) {}), IsEmpty());
    EXPECT_THAT(refused(bounds, [](ReceiverPlan& plan) { plan.address = at_port("10.0.0.2", 22); }),
                HasSubstr("asks for 22"));
    EXPECT_THAT(refused(bounds, [](ReceiverPlan& plan) { plan.flows.front().target.data_port = 53; }),
                HasSubstr("asks for 53"));
    EXPECT_THAT(refused(bounds, [](ReceiverPlan& plan) { plan.flows.front().options.group = "224.0.0.251"; }),
                HasSubstr("sends nothing to 224.0.0.251"));
}

TEST(SendBounds, CanBeReceiversThatProveAKey) {
    const SendBounds bounds{.only_to_proved = true};
    EXPECT_THAT(refused(bounds, [](ReceiverPlan&) {}), HasSubstr("only to receivers that prove a key of yours"));
    EXPECT_THAT(refused(bounds, [](ReceiverPlan& plan) { plan.key.emplace(); }), IsEmpty());
}

}  // namespace
}  // namespace groma
