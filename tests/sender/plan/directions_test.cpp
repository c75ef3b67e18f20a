#include "sender/plan/directions.hpp"

#include <gmock/gmock.h>

#include "tests/sample_flow.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

FlowSpec going(std::uint32_t id, Direction direction) {
    FlowSpec flow = flow_numbered(id);
    flow.name = "flow" + std::to_string(id);
    flow.direction = direction;
    flow.target.data_port = 5000;
    return flow;
}

TEST(Directions, MakeTwoFlowsOfOneThatGoesInBoth) {
    std::vector<FlowSpec> flows{going(1, Direction::both), going(2, Direction::forward)};
    EXPECT_THAT(split_both(flows), IsEmpty());
    ASSERT_EQ(flows.size(), 3U);
    EXPECT_EQ(flows[0], going(1, Direction::forward));
    EXPECT_EQ(flows[1], going(2, Direction::forward));
    FlowSpec back = going(1, Direction::reverse);
    back.id = FlowId{3};
    back.name = "flow1-reverse";
    back.target.data_port.reset();
    EXPECT_EQ(flows[2], back);
}

TEST(Directions, GiveNoTwoFlowsOneName) {
    std::vector<FlowSpec> flows{going(1, Direction::both), going(2, Direction::forward)};
    flows[1].name = "flow1-reverse";
    EXPECT_THAT(split_both(flows), ElementsAre(HasSubstr("two flows named 'flow1-reverse'")));
}

TEST(Directions, PartFlowsInTheirOrder) {
    std::vector<FlowSpec> flows{going(1, Direction::reverse), going(2, Direction::forward),
                                going(3, Direction::reverse)};
    EXPECT_TRUE(has_reverse(flows));
    EXPECT_THAT(take_reverse(flows), ElementsAre(going(1, Direction::reverse), going(3, Direction::reverse)));
    EXPECT_THAT(flows, ElementsAre(going(2, Direction::forward)));
    EXPECT_FALSE(has_reverse(flows));
}

TEST(Directions, MarkTheNameOfALogAndNotItsFolder) {
    EXPECT_EQ(with_mark("logs.d/send.glog", "reverse"), "logs.d/send-reverse.glog");
    EXPECT_EQ(with_mark("send", "reverse"), "send-reverse");
    EXPECT_EQ(with_mark("", "reverse"), "");
}

}  // namespace
}  // namespace groma
