#include "sender/report/worst_flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Flows without any fault.
std::vector<FlowReport> perfect_flows(std::size_t count) {
    std::vector<FlowReport> flows(count, faithful_flow(1, "flow"));
    for (FlowReport& flow : flows) {
        flow.outcome.fidelity.lateness_ns = LogHistogram();
        flow.outcome.fidelity.lateness_ns.add(0, 10'000);
    }
    return flows;
}

TEST(WorstFlows, FlowsWithoutAFaultAreNotNamed) {
    EXPECT_THAT(worst_flows(perfect_flows(30)), IsEmpty());
    EXPECT_THAT(worst_flows({}), IsEmpty());
}

TEST(WorstFlows, TheWorstOfEachFigureIsNamedInTheOrderOfTheFlows) {
    std::vector<FlowReport> flows = perfect_flows(30);
    set_rates(flows[28].outcome.fidelity, 1000, 990);  // the rate
    set_rates(flows[3].outcome.fidelity, 1000, 995);
    flows[20].outcome.fidelity.lateness_ns.add(900, 1000);
    flows[4].outcome.fidelity.lateness_ns.add(800, 1000);
    flows[11].outcome.fidelity.gap_error_ns.add(700, 1000);
    flows[7].received->packets = 9'000;  // the loss
    flows[8].received->packets = 9'500;
    EXPECT_THAT(worst_flows(flows), ElementsAre(7, 11, 20, 28));
}

TEST(WorstFlows, AFlowThatIsWorstInSeveralFiguresIsNamedOnceAndTheFirstOfEqualOnes) {
    std::vector<FlowReport> flows = perfect_flows(5);
    for (const std::size_t i : {2U, 3U}) {
        set_rates(flows[i].outcome.fidelity, 1000, 900);
        flows[i].received->packets = 1'000;
    }
    EXPECT_THAT(worst_flows(flows), ElementsAre(2));
}

TEST(WorstFlows, TablesShowAllOfAFewFlowsAndTheWorstOfMany) {
    std::vector<FlowReport> flows = perfect_flows(kMostFlowsInTables);
    EXPECT_EQ(shown_flows(flows).size(), kMostFlowsInTables);
    flows = perfect_flows(kMostFlowsInTables + 1);
    flows[7].received->packets = 9'000;
    EXPECT_THAT(shown_flows(flows), ElementsAre(&flows[7]));
    EXPECT_THAT(shown_flows(flows, 10, 3), ElementsAre(&flows[0], &flows[1], &flows[7]));
    EXPECT_THAT(shown_flows(flows, 10, 1), ElementsAre(&flows[7]));
}

TEST(WorstFlows, AFlowOfWhichNothingIsKnownHidesNoOther) {
    std::vector<FlowReport> flows = perfect_flows(3);
    flows[0] = FlowReport{};
    set_rates(flows[2].outcome.fidelity, 1000, 999);
    EXPECT_THAT(worst_flows(flows), ElementsAre(2));
}

}  // namespace
}  // namespace groma
