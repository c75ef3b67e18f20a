#include "common/model/flow/sealing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "common/json/json_record.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_json.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/sharing.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FlowSpec flow(std::uint32_t id, const std::function<void(FlowSpec&)>& change = {}) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.target.host = "h";
    spec.stop.packets = 1;
    if (change) {
        change(spec);
    }
    return spec;
}

Sealing sealed(const std::function<void(FlowSpec&)>& change) {
    std::vector<FlowSpec> flows{flow(1, change)};
    seal_by_default(flows);
    return flows.front().seal;
}

TEST(Sealing, FlowsAreSealedByDefaultWhereThatChangesNothing) {
    EXPECT_EQ(sealed([](FlowSpec&) {}), Sealing::on);
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.seal = Sealing::off; }), Sealing::off);
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.header = HeaderLevel::sequence; }), Sealing::automatic);
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.size = Constant{27}; }), Sealing::automatic);
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.size = Constant{28}; }), Sealing::on);
    EXPECT_EQ(sealed([](FlowSpec& spec) {
                  spec.transport = Transport::tcp;
                  spec.size = Constant{28};
              }),
              Sealing::automatic)
        << "the length of its frame takes a byte";
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.size = Exponential{.mean = 100}; }), Sealing::automatic)
        << "a quarter of its packets would have to be larger";
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.size = Normal{.mean = 500, .deviation = 90}; }), Sealing::on)
        << "hardly any would";
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.size = Uniform{.low = 27, .high = 100}; }), Sealing::automatic);
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.response = Constant{27}; }), Sealing::automatic);
    EXPECT_EQ(sealed([](FlowSpec& spec) { spec.response = Constant{28}; }), Sealing::on);
    EXPECT_EQ(sealed([](FlowSpec& spec) {
                  spec.transport = Transport::udplite;
                  spec.options.coverage = 28;
              }),
              Sealing::automatic)
        << "an error of a bit is no forgery";
}

TEST(Sealing, FlowsOfAssociationsAllOrNone) {
    const auto shared = [](double size) {
        return [size](FlowSpec& spec) {
            spec.options.association = 1;
            spec.size = Constant{size};
        };
    };
    std::vector<FlowSpec> flows{flow(1), flow(2, shared(100)), flow(3, shared(20))};
    seal_by_default(flows);
    EXPECT_EQ(flows[0].seal, Sealing::on);
    EXPECT_EQ(flows[1].seal, Sealing::automatic);
    EXPECT_EQ(flows[2].seal, Sealing::automatic);
    flows.pop_back();
    seal_by_default(flows);
    EXPECT_EQ(flows[1].seal, Sealing::on);
    EXPECT_EQ(size_limits(flows[1]).smallest, 28U);
}

TEST(Sealing, FlowsThatShareASocketOfTheProgramsChoiceAreSealedAlike) {
    std::vector<FlowSpec> flows;
    for (std::uint32_t id = 1; id <= 6; ++id) {
        flows.push_back(flow(id, [id](FlowSpec& spec) { spec.seal = id > 3 ? Sealing::on : Sealing::automatic; }));
    }
    EXPECT_EQ(share_sockets(flows, 1, 10), 6U);
    EXPECT_EQ(flows[2].options.association, 1U);
    EXPECT_EQ(flows[3].options.association, 2U);
}

TEST(Sealing, WhatCannotBeSealedIsRefused) {
    const auto errors = [](const std::function<void(FlowSpec&)>& change) {
        FlowSpec spec = flow(1, change);
        spec.seal = Sealing::on;
        return validate(spec);
    };
    EXPECT_THAT(errors({}), ElementsAre());
    EXPECT_THAT(errors([](FlowSpec& spec) { spec.header = HeaderLevel::none; }), ElementsAre(HasSubstr("header full")));
    EXPECT_THAT(errors([](FlowSpec& spec) { spec.size = Constant{27}; }),
                ElementsAre(HasSubstr("by a sealed flow: sizes are from 28")));
    EXPECT_THAT(errors([](FlowSpec& spec) {
                    spec.options.association = 1;
                    spec.size = Uniform{.low = 24, .high = 100};
                }),
                ElementsAre(HasSubstr("from 28")));
}

TEST(Sealing, IsAskedForAndTold) {
    const FlowSpec spec =
        parse_experiment("[[flow]]\nto = 'h'\npackets = 1\nseal = 'on'\n", "e.toml", {}, 42).flows.front();
    EXPECT_EQ(spec.seal, Sealing::on);
    EXPECT_EQ(from_json<FlowSpec>(to_json(spec)), spec);
    EXPECT_FALSE(to_json(flow(1)).contains("seal"));
}

TEST(Sealing, NoPacketOfASealedFlowIsSmaller) {
    EXPECT_EQ(size_limits(flow(1, [](FlowSpec& spec) { spec.seal = Sealing::on; })).smallest, 28U);
    EXPECT_EQ(size_limits(flow(1,
                               [](FlowSpec& spec) {
                                   spec.seal = Sealing::on;
                                   spec.transport = Transport::tcp;
                               }))
                  .smallest,
              29U);
}

}  // namespace
}  // namespace groma
