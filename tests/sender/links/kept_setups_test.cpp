#include "sender/links/kept_setups.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

FlowSetup setup(std::uint32_t number, double gap) {
    FlowSetup setup;
    setup.spec.id = FlowId{number};
    setup.spec.name = "flow " + std::to_string(number);
    setup.spec.idt = Exponential{gap};
    setup.spec.start_delay = Nanos{number};
    setup.spec.options.association = number / 3 + 1;
    setup.local_address = "10.0.0.1:" + std::to_string(1000 + number);
    setup.remote_address = "10.0.0.2:9001";
    return setup;
}

TEST(KeptSetups, GiveBackWhatTheyWereGivenInItsOrder) {
    std::vector<FlowSetup> setups;
    for (std::uint32_t number = 1; number <= 20; ++number) {
        setups.push_back(setup(number, number % 7 == 0 ? 1e6 : 2e6));
    }
    EXPECT_EQ(KeptSetups(setups).all(), setups);
}

TEST(KeptSetups, OfNoFlowsAreNone) {
    EXPECT_TRUE(KeptSetups().all().empty());
    EXPECT_TRUE(KeptSetups(std::vector<FlowSetup>()).all().empty());
}

}  // namespace
}  // namespace groma
