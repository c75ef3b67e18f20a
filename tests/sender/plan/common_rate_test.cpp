#include "sender/plan/common_rate.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/log/asked_rate.hpp"

namespace groma {
namespace {

FlowSpec flow_of(Distribution idt, double size) {
    FlowSpec flow;
    flow.name = "a";
    flow.idt = std::move(idt);
    flow.size = Constant{size};
    return flow;
}

TEST(CommonRate, IsThatOfAllFlowsAndKeepsTheirProportions) {
    const CommonRate rate({flow_of(Constant{1e6}, 100), flow_of(Exponential{0.5e6}, 400)});
    EXPECT_DOUBLE_EQ(rate.pps(), 3000);
    EXPECT_DOUBLE_EQ(rate.bits_per_packet(), 2400);
    EXPECT_DOUBLE_EQ(rate.pps_of(PacketRate{7}), 7);
    EXPECT_DOUBLE_EQ(rate.pps_of(BitRate{24'000}), 10);
    const std::vector<FlowSpec> flows = rate.flows_at(300);
    EXPECT_EQ(flows.at(0).idt, Distribution(Constant{1e7}));
    EXPECT_EQ(flows.at(1).idt, Distribution(Exponential{5e6}));
    EXPECT_EQ(flows.at(1).size, Distribution(Constant{400}));
}

TEST(CommonRate, CountsOffPeriods) {
    FlowSpec flow = flow_of(Constant{1e6}, 100);
    flow.on_off = OnOff{Constant{1e9}, Constant{3e9}};
    const CommonRate rate({flow});
    EXPECT_DOUBLE_EQ(rate.pps(), 250);
    EXPECT_DOUBLE_EQ(nominal_pps(rate.flows_at(500).at(0)).value(), 500);
}

TEST(CommonRate, OfFlowsThatHaveNoneIsAnError) {
    EXPECT_THROW(CommonRate({flow_of(Greedy{}, 100)}), UsageError);
    EXPECT_THROW(CommonRate({flow_of(Constant{1e6}, 0)}), UsageError);
    EXPECT_THROW((void)CommonRate({flow_of(Constant{1e6}, 1)}).flows_at(1e-30), UsageError);
}

}  // namespace
}  // namespace groma
