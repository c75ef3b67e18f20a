#include "common/model/flow/drawn_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

std::vector<FlowSpec> drawn_flows(const DrawnValues& laws, std::uint64_t seed, std::uint32_t count) {
    std::vector<FlowSpec> flows(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        flows[i].id = FlowId{i + 1};
        flows[i].seed = seed;
        draw_values(laws, flows[i]);
    }
    return flows;
}

Experiment experiment_of(const std::string& flows, std::optional<std::uint64_t> seed = {}) {
    return parse_experiment("seed = 1\nduration = \"1s\"\n[defaults]\nto = \"b\"\n" + flows, "test", {}, 1, seed);
}

TEST(DrawnValues, FollowTheirLaws) {
    constexpr std::uint32_t kFlows = 20'000;
    double start = 0;
    double volume = 0;
    for (const FlowSpec& flow :
         drawn_flows({.start = parse_period("exp:2s"), .volume = parse_size("unif:1:1001")}, 7, kFlows)) {
        start += static_cast<double>(flow.start_delay.count()) / kFlows;
        volume += static_cast<double>(flow.stop.bytes.value().count) / kFlows;
    }
    const double deviations = std::sqrt(kFlows);
    EXPECT_NEAR(start, 2e9, 5 * 2e9 / deviations);
    EXPECT_NEAR(volume, 501, 5 * 289 / deviations);
}

TEST(DrawnValues, AreTheSameForTheSameSeedAndFlow) {
    const DrawnValues laws{.start = parse_period("exp:1s"), .volume = parse_size("pareto:1.2:10kB")};
    EXPECT_EQ(drawn_flows(laws, 7, 100), drawn_flows(laws, 7, 100));
    EXPECT_NE(drawn_flows(laws, 7, 1)[0].start_delay, drawn_flows(laws, 8, 1)[0].start_delay);
    EXPECT_EQ(drawn_flows({.start = laws.start}, 7, 3)[2].start_delay, drawn_flows(laws, 7, 3)[2].start_delay);
    EXPECT_EQ(drawn_flows({.start = laws.start}, 7, 3)[2].stop.bytes, std::nullopt);
}

TEST(DrawnValues, CanAlwaysBeUsedOrAreRefused) {
    const DrawnValues wild{.start = parse_period("cauchy:0s:1h"), .volume = parse_size("normal:0.1:5")};
    for (const FlowSpec& flow : drawn_flows(wild, 7, 10'000)) {
        EXPECT_GE(flow.start_delay, 0ns);
        EXPECT_GE(flow.stop.bytes.value().count, 1U);
    }
    FlowSpec never = drawn_flows({.start = parse_period("pareto:0.01:1000000h")}, 1, 1)[0];
    never.name = "never";
    never.target.host = "b";
    never.stop.duration = 1s;
    EXPECT_THAT(validate(never), testing::ElementsAre(testing::HasSubstr("146 years")));
}

TEST(DrawnValues, OfAnExperimentAreThoseOfItsSeedOrOfTheOneInstead) {
    const std::string flows =
        "[[flow]]\ncount = 50\nstart = \"exp:1s\"\nbytes = \"pareto:1.5:10kB\"\n[[flow]]\nstart = \"3s\"\n";
    const Experiment own = experiment_of(flows);
    ASSERT_EQ(own.flows.size(), 51U);
    EXPECT_EQ(own, experiment_of(flows));
    EXPECT_NE(own.flows[0].start_delay, own.flows[1].start_delay);
    EXPECT_GE(own.flows[0].stop.bytes.value().count, 10'000U);
    EXPECT_EQ(own.flows[50].start_delay, 3s);
    EXPECT_EQ(own.flows[50].stop.bytes, std::nullopt);
    const Experiment other = experiment_of(flows, 9);
    EXPECT_EQ(other.seed_given, 9U);
    EXPECT_EQ(other.flows[3].seed, 9U);
    EXPECT_NE(other.flows[3].start_delay, own.flows[3].start_delay);
}

TEST(DrawnValues, AFlowsOwnSettingOverridesALawOfTheDefaults) {
    const Experiment experiment = parse_experiment(
        "duration = \"1s\"\n[defaults]\nto = \"b\"\nstart = \"exp:1s\"\nbytes = "
        "\"exp:10kB\"\n[[flow]]\n[[flow]]\nstart = \"2s\"\nbytes = 5\n",
        "test", {}, 1);
    EXPECT_GT(experiment.flows[0].start_delay, 0s);
    EXPECT_EQ(experiment.flows[1].start_delay, 2s);
    EXPECT_EQ(experiment.flows[1].stop.bytes, Bytes{5});
}

}  // namespace
}  // namespace groma
