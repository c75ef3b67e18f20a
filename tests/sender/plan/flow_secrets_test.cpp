#include "sender/plan/flow_secrets.hpp"

#include <gtest/gtest.h>

#include "sender/plan/receiver_plan.hpp"

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
    std::vector<FlowSpec> flows{flow(1, Sealing::on),   flow(2, Sealing::automatic), flow(3, Sealing::off),
                                flow(4, Sealing::on),   flow(5, Sealing::on, 7),     flow(6, Sealing::on, 7),
                                flow(7, Sealing::on, 7)};
    flows.back().target.host = "10.0.0.3";
    const FlowSecrets secrets = draw_secrets(flows);
    EXPECT_EQ(secrets.size(), 5U);
    EXPECT_FALSE(secrets.contains(FlowId{2}) or secrets.contains(FlowId{3}));
    EXPECT_NE(secrets.at(FlowId{1}), secrets.at(FlowId{4}));
    EXPECT_EQ(secrets.at(FlowId{5}), secrets.at(FlowId{6}));
    EXPECT_NE(secrets.at(FlowId{6}), secrets.at(FlowId{7})) << "of another receiver";
    EXPECT_NE(draw_secrets(flows).at(FlowId{1}), secrets.at(FlowId{1})) << "of another run";
}

TEST(FlowSecrets, TravelWithTheirFlows) {
    std::vector<FlowSpec> flows;
    for (std::uint32_t id = 1; id <= kMaxFlowsPerMessage + 2; ++id) {
        flows.push_back(flow(id, id % 2 == 0 ? Sealing::on : Sealing::off));
    }
    const FlowSecrets secrets = draw_secrets(flows);
    const std::vector<OpenFlows> pieces = in_pieces(flows, {}, secrets);
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].secrets.size(), kMaxFlowsPerMessage / 2);
    ASSERT_EQ(pieces[1].secrets.size(), 1U);
    EXPECT_EQ(pieces[1].secrets[0], (FlowSecret{FlowId{1002}, secrets.at(FlowId{1002})}));
}

}  // namespace
}  // namespace groma
