#include "logserver/store/turns.hpp"

#include <gmock/gmock.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string host_of(const std::string& item) {
    return item.substr(0, 1);
}

TEST(Turns, AHostWithManyDoesNotMakeTheOthersWait) {
    EXPECT_THAT(by_turns<std::string>({"a1", "a2", "a3", "a4", "b1", "c1", "c2"}, host_of, 5),
                ElementsAre("a1", "b1", "c1", "a2", "c2"));
}

TEST(Turns, WhatIsLeftGoesToTheHostThatWantsIt) {
    EXPECT_THAT(by_turns<std::string>({"a1", "a2", "a3", "b1"}, host_of, 10), ElementsAre("a1", "b1", "a2", "a3"));
    EXPECT_THAT(by_turns<std::string>({}, host_of, 10), IsEmpty());
}

}  // namespace
}  // namespace groma
