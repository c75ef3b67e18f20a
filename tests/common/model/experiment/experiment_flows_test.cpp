#include "common/model/experiment/experiment_flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Place kHere{5, 1};
constexpr std::uint64_t kSeed = 7;

FlowDraft draft_to_port(std::optional<std::uint16_t> port, std::uint32_t count = 1) {
    FlowDraft draft;
    draft.spec.target = {"h", 9000, port};
    draft.spec.stop.packets = 1;
    draft.count = count;
    return draft;
}

class ExperimentFlowsTest : public ::testing::Test {
protected:
    std::vector<std::string> names() {
        std::vector<std::string> names;
        for (const FlowSpec& flow : flows_.take()) {
            names.push_back(flow.name);
        }
        return names;
    }

    std::vector<TextError> errors_;
    ExperimentFlows flows_{errors_};
};

TEST_F(ExperimentFlowsTest, AreNumberedAndNamedInTheOrderOfTheFile) {
    FlowDraft named = draft_to_port({}, 2);
    named.spec.name = "b";
    flows_.add(kHere, draft_to_port({}), kSeed);
    flows_.add(kHere, named, kSeed);
    flows_.add(kHere, draft_to_port({}, 2), kSeed);
    const std::vector<FlowSpec> flows = flows_.take();
    ASSERT_EQ(flows.size(), 5U);
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < flows.size(); ++i) {
        EXPECT_EQ(flows[i].id, FlowId{i + 1});
        EXPECT_EQ(flows[i].seed, kSeed);
        names.push_back(flows[i].name);
    }
    EXPECT_THAT(names, ElementsAre("flow1", "b-1", "b-2", "flow4-1", "flow4-2"));
    EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(ExperimentFlowsTest, FlowsOfOneDraftGoToPortsInARow) {
    flows_.add(kHere, draft_to_port(65534, 2), kSeed);
    const std::vector<FlowSpec> flows = flows_.take();
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[1].target.data_port, 65535);
    EXPECT_THAT(errors_, IsEmpty());
}

TEST_F(ExperimentFlowsTest, PortsEndAt65535) {
    flows_.add(kHere, draft_to_port(65535, 2), kSeed);
    EXPECT_THAT(errors_, ElementsAre(TextError{5, 1, "the ports of these flows go beyond 65535"}));
}

TEST_F(ExperimentFlowsTest, APortTakesOneFlowOfEachTransport) {
    FlowDraft other = draft_to_port(5000);
    other.spec.transport = Transport::tcp;
    flows_.add(kHere, draft_to_port(5000), kSeed);
    flows_.add(kHere, other, kSeed);
    EXPECT_THAT(errors_, IsEmpty());
    flows_.add(kHere, other, kSeed);
    EXPECT_THAT(errors_, ElementsAre(TextError{5, 1, "flow 'flow2' already goes to port 5000 of h"}));
}

TEST_F(ExperimentFlowsTest, ADraftWithAnErrorGivesNoFurtherFlowsWithTheSame) {
    FlowDraft twice = draft_to_port({}, 3);
    twice.spec.name = "a";
    flows_.add(kHere, twice, kSeed);
    flows_.add({9, 1}, twice, kSeed);
    EXPECT_THAT(errors_, ElementsAre(TextError{9, 1, "there are two flows named 'a-1'"}));
}

TEST_F(ExperimentFlowsTest, AreAsManyAsAnExperimentMayHave) {
    flows_.add(kHere, draft_to_port({}, 1), kSeed);
    flows_.add(kHere, draft_to_port({}, kMaxFlows), kSeed);
    EXPECT_THAT(errors_, ElementsAre(TextError{5, 1, "more than 100000 flows"}));
    EXPECT_THAT(names(), ElementsAre("flow1"));
}

TEST_F(ExperimentFlowsTest, AnOnOffProcessNeedsBothOfItsTimes) {
    FlowDraft draft = draft_to_port({});
    draft.on = Constant{1e9};
    Section section{.place = kHere, .settings = {{"on", Setting{}}}};
    flows_.complete(section, draft);
    EXPECT_THAT(errors_, ElementsAre(TextError{5, 1, "'on' needs 'off' beside it"}));
    errors_.clear();
    section.settings.emplace("off", Setting{});  // it has an error of its own, and is reported there
    flows_.complete(section, draft);
    EXPECT_THAT(errors_, IsEmpty());
    draft.off = Constant{2e9};
    flows_.complete(section, draft);
    EXPECT_EQ(draft.spec.on_off, (OnOff{Constant{1e9}, Constant{2e9}}));
}

TEST_F(ExperimentFlowsTest, ARateThatTheGapsCannotHaveIsRefusedAtItsPlace) {
    FlowDraft draft = draft_to_port({});
    draft.spec.idt = Cauchy{1e6, 1e5};  // has no mean
    draft.rate = AskedRate{.rate = PacketRate{1000}, .place = {6, 8}};
    flows_.complete({.place = kHere, .settings = {}}, draft);
    ASSERT_EQ(errors_.size(), 1U);
    EXPECT_EQ(errors_[0].line, 6U);
    EXPECT_EQ(errors_[0].column, 8U);
}

}  // namespace
}  // namespace groma
