#include "common/access/key_loads.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Grant grant_with(const char* limits, std::string name = "lab") {
    return {.name = std::move(name), .roles = {Role::receive}, .limits = parse_limits(limits)};
}

Load load_of(std::uint64_t flows) {
    return {.flows = flows};
}

TEST(KeyLoads, LimitAllSharesUnderKeysOfOneNameTogether) {
    KeyLoads loads;
    KeyLoads::Share first = loads.enter(grant_with("flows=3"));
    KeyLoads::Share second = loads.enter(grant_with("flows=3"));
    EXPECT_THAT(first.ask(load_of(2)), IsEmpty());
    EXPECT_THAT(second.ask(load_of(2)), HasSubstr("asks for 2 beside 2"));
    EXPECT_THAT(second.ask(load_of(1)), IsEmpty());
    EXPECT_THAT(loads.enter(grant_with("flows=3", "other")).ask(load_of(3)), IsEmpty());
    EXPECT_THAT(loads.enter(grant_with("flows=4")).ask(load_of(1)), IsEmpty()) << "each key has its own limits";
}

TEST(KeyLoads, WhatAKeyWithoutLimitsAsksForCountsForAnotherOfItsName) {
    KeyLoads loads;
    KeyLoads::Share all = loads.enter(Grant{.name = "lab"});
    EXPECT_THAT(all.ask(load_of(5)), IsEmpty());
    EXPECT_THAT(loads.enter(grant_with("flows=3")).ask(load_of(1)), HasSubstr("asks for 1 beside 5"));
}

TEST(KeyLoads, WhatIsRefusedCountsForNothing) {
    KeyLoads loads;
    KeyLoads::Share first = loads.enter(grant_with("flows=3"));
    EXPECT_THAT(first.ask(load_of(4)), HasSubstr("flows=3"));
    EXPECT_THAT(loads.enter(grant_with("flows=3")).ask(load_of(3)), IsEmpty());
}

TEST(KeyLoads, AShareAsksForAllThatItHasEachTime) {
    KeyLoads loads;
    KeyLoads::Share share = loads.enter(grant_with("flows=3"));
    EXPECT_THAT(share.ask(load_of(2)), IsEmpty());
    EXPECT_THAT(share.ask(load_of(3)), IsEmpty());
}

TEST(KeyLoads, SharesCountUntilTheyGo) {
    KeyLoads loads;
    const Grant grant = grant_with("sessions=1,flows=1");
    std::optional<KeyLoads::Share> first = loads.enter(grant);
    EXPECT_THAT(first->ask({}), IsEmpty());
    EXPECT_THAT(loads.enter(grant).ask({}), HasSubstr("number 2"));
    const KeyLoads::Share copy = *first;
    first.reset();
    EXPECT_THAT(loads.enter(grant).ask({}), HasSubstr("number 2")) << "its copy is there";
    KeyLoads::Share left = copy;
    left.leave();
    EXPECT_THAT(loads.enter(grant).ask({}), HasSubstr("number 2")) << "so is another";
}

TEST(KeyLoads, AShareThatLeavesMakesRoom) {
    KeyLoads loads;
    const Grant grant = grant_with("sessions=1");
    KeyLoads::Share first = loads.enter(grant);
    EXPECT_THAT(first.ask({}), IsEmpty());
    first.leave();
    EXPECT_THAT(loads.enter(grant).ask({}), IsEmpty());
}

TEST(KeyLoads, AShareThatRestsIsThereWithoutItsFlows) {
    KeyLoads loads;
    KeyLoads::Share first = loads.enter(grant_with("sessions=2,flows=1"));
    EXPECT_THAT(first.ask(load_of(1)), IsEmpty());
    first.rest();
    KeyLoads::Share second = loads.enter(grant_with("sessions=2,flows=1"));
    EXPECT_THAT(second.ask(load_of(1)), IsEmpty());
    EXPECT_THAT(loads.enter(grant_with("sessions=2,flows=1")).ask({}), HasSubstr("number 3"));
    first.leave();
    first.rest();
    EXPECT_THAT(first.ask(load_of(9)), IsEmpty()) << "it has left";
}

TEST(KeyLoads, WithoutAKeyNothingIsLimited) {
    KeyLoads loads;
    KeyLoads::Share share = loads.enter(std::optional<Grant>());
    EXPECT_FALSE(share.grant());
    EXPECT_THAT(share.ask(load_of(1'000'000)), IsEmpty());
}

}  // namespace
}  // namespace groma
