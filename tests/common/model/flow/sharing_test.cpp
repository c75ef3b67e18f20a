// Which flows share a socket of UDP.
#include "common/model/flow/sharing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/schedule.hpp"

namespace groma {
namespace {

FlowSpec flow_to(std::string host) {
    FlowSpec flow;
    flow.id = FlowId{1};
    flow.name = "flow";
    flow.target.host = std::move(host);
    flow.stop.packets = 10;
    return flow;
}

std::map<std::optional<std::uint32_t>, std::size_t> flows_by_number(const std::vector<FlowSpec>& flows) {
    std::map<std::optional<std::uint32_t>, std::size_t> numbers;
    for (const FlowSpec& flow : flows) {
        ++numbers[flow.options.association];
    }
    return numbers;
}

bool complains(const FlowSpec& flow, std::string_view about) {
    return std::ranges::any_of(validate(flow),
                               [&](const std::string& error) { return error.find(about) != std::string::npos; });
}

TEST(Sharing, FewFlowsHaveSocketsOfTheirOwn) {
    std::vector<FlowSpec> flows(10, flow_to("beta"));
    EXPECT_EQ(share_sockets(flows, 10, 4), 0U);
    EXPECT_EQ(sockets_of(flows), 10U);
}

TEST(Sharing, MoreFlowsThanMayHaveTheirOwnShareSocketsInGroups) {
    std::vector<FlowSpec> flows(11, flow_to("beta"));
    EXPECT_EQ(share_sockets(flows, 10, 4), 11U);
    EXPECT_EQ(sockets_of(flows), 3U);
    EXPECT_EQ(flows_by_number(flows), (std::map<std::optional<std::uint32_t>, std::size_t>{{1, 4}, {2, 4}, {3, 3}}));
}

TEST(Sharing, FlowsThatAreToHaveTheirOwnSocketsKeepThem) {
    std::vector<FlowSpec> flows(11, flow_to("beta"));
    flows[3].options.own_socket = true;
    flows[4].options.own_socket = true;
    EXPECT_EQ(share_sockets(flows, 8, 100), 9U);
    EXPECT_EQ(sockets_of(flows), 3U);
    flows[3].options.association = 1;
    EXPECT_TRUE(complains(flows[3], "own_socket"));
}

TEST(Sharing, FlowsOfOtherOptionsHaveAnotherSocket) {
    std::vector<FlowSpec> flows(4, flow_to("beta"));
    flows[2].options.ds_byte = 184;
    flows[3].options.ds_byte = 184;
    EXPECT_EQ(share_sockets(flows, 3, 100), 4U);
    EXPECT_EQ(flows_by_number(flows), (std::map<std::optional<std::uint32_t>, std::size_t>{{1, 2}, {2, 2}}));
}

TEST(Sharing, FlowsToAReceiverWithFewStayAsTheyAre) {
    std::vector<FlowSpec> flows(5, flow_to("beta"));
    flows.push_back(flow_to("gamma"));
    EXPECT_EQ(share_sockets(flows, 4, 100), 5U);
    EXPECT_EQ(flows.back().options.association, std::nullopt);
    EXPECT_EQ(sockets_of(flows), 2U);
}

TEST(Sharing, NumbersThatTheUserGaveAreLeftAlone) {
    std::vector<FlowSpec> flows(4, flow_to("beta"));
    flows[0].options.association = 1;
    EXPECT_EQ(share_sockets(flows, 2, 100), 3U);
    EXPECT_EQ(flows_by_number(flows), (std::map<std::optional<std::uint32_t>, std::size_t>{{1, 1}, {2, 3}}));
}

TEST(Sharing, WhatSharingWouldChangeIsLeftAlone) {
    std::vector<FlowSpec> flows(8, flow_to("beta"));
    flows[0].size = Constant{12};              // has no room for the flow's number
    flows[1].size = Exponential{.mean = 500};  // may draw less
    flows[2].meter = Meter::round_trip;
    flows[3].target.data_port = 7000;
    flows[4].header = HeaderLevel::sequence;
    flows[5].transport = Transport::tcp;
    EXPECT_EQ(share_sockets(flows, 1, 100), 2U);
    EXPECT_EQ(flows_by_number(flows), (std::map<std::optional<std::uint32_t>, std::size_t>{{std::nullopt, 6}, {1, 2}}));
}

TEST(Sharing, PacketsThatCannotSayOfWhichFlowTheyAreAreRefused) {
    FlowSpec flow = flow_to("beta");
    flow.options.association = 7;
    EXPECT_TRUE(validate(flow).empty());
    flow.size = Constant{19};
    EXPECT_TRUE(complains(flow, "a payload of 19 bytes cannot be sent over udp by a flow that shares its socket"));
    flow.size = Constant{20};
    EXPECT_TRUE(validate(flow).empty());
    flow.header = HeaderLevel::sequence;
    EXPECT_TRUE(complains(flow, "it must be full"));
}

TEST(Sharing, RandomSizesAreRaisedToWhatCarriesTheFlowsNumber) {
    FlowSpec flow = flow_to("beta");
    flow.options.association = 7;
    flow.size = Exponential{.mean = 30};
    flow.stop.packets = 1000;
    Schedule schedule(flow);
    std::uint32_t smallest = 1000;
    while (const auto departure = schedule.next()) {
        smallest = std::min(smallest, departure->size);
    }
    EXPECT_EQ(smallest, 20U);
    EXPECT_GT(schedule.draw_counts().sizes_raised, 0U);
}

}  // namespace
}  // namespace groma
