#include "sender/plan/flow_secrets.hpp"

#include <gtest/gtest.h>

#include "sender/plan/receiver_plan.hpp"
#include "tests/wiped.hpp"

namespace groma {
namespace {

FlowSpec flow(std::uint32_t id, Sealing seal, std::optional<std::uint32_t> association = std::nullopt) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.seal = seal;
    spec.options.association = association;
    spec.target.host = "10.0.0.2";
    return spec;
}

TEST(FlowSecrets, EachSealedFlowHasItsOwnAndThoseOfAnAssociationOne) {
    const std::vector<FlowSpec> flows{flow(1, Sealing::on), flow(2, Sealing::automatic), flow(3, Sealing::off),
                                      flow(4, Sealing::on), flow(5, Sealing::on, 7),     flow(6, Sealing::on, 7)};
    FlowSecrets all;
    const FlowSecrets secrets = draw_secrets(flows, all);
    EXPECT_EQ(secrets.size(), 4U);
    EXPECT_FALSE(secrets.contains(FlowId{2}) or secrets.contains(FlowId{3}));
    EXPECT_NE(secrets.at(FlowId{1}).key, secrets.at(FlowId{4}).key);
    EXPECT_EQ(secrets.at(FlowId{5}).key, secrets.at(FlowId{6}).key);
    FlowSecrets of_another_run;
    EXPECT_NE(draw_secrets(flows, of_another_run).at(FlowId{1}).key, secrets.at(FlowId{1}).key);
}

TEST(FlowSecrets, OfOtherReceiversAreOthersButForAFlowToSeveral) {
    FlowSecrets all;
    const FlowSecrets here = draw_secrets({flow(1, Sealing::on), flow(2, Sealing::on, 7)}, all);
    const FlowSecrets there = draw_secrets({flow(1, Sealing::on), flow(3, Sealing::on, 7)}, all);
    EXPECT_EQ(here.at(FlowId{1}).key, there.at(FlowId{1}).key);
    EXPECT_NE(here.at(FlowId{2}).key, there.at(FlowId{3}).key) << "an association of another receiver";
    EXPECT_EQ(all.size(), 3U);
}

TEST(FlowSecrets, TravelWithTheirFlows) {
    std::vector<FlowSpec> flows;
    for (std::uint32_t id = 1; id <= kMaxFlowsPerMessage + 2; ++id) {
        flows.push_back(flow(id, id % 2 == 0 ? Sealing::on : Sealing::off));
    }
    FlowSecrets all;
    const FlowSecrets secrets = draw_secrets(flows, all);
    const std::vector<OpenFlows> pieces = in_pieces(flows, {}, secrets);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].secrets.size(), kMaxFlowsPerMessage / 2);
    ASSERT_EQ(pieces[1].secrets.size(), 1U);
    EXPECT_EQ(pieces[1].secrets[0], secrets.at(FlowId{1002}));
}

TEST(FlowSecrets, AreWipedWhenTheyGo) {
    FlowSecret secret{.flow = FlowId{0}};
    secret.key.fill(std::byte{7});
    EXPECT_EQ(left_by(secret), decltype(left_by(secret)){});
}

}  // namespace
}  // namespace groma
