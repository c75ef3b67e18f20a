#include "sender/engine/backlog.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(Backlog, GivesTurnsInTheOrderOfQueueingHoweverOftenItGoesRound) {
    Backlog backlog(3);
    backlog.push({0, {}});
    backlog.push({1, {}});
    for (std::uint32_t i = 2; i < 50; ++i) {
        backlog.push({i, {}});
        EXPECT_EQ(backlog.pop().flow, i - 2);
    }
    EXPECT_EQ(backlog.size(), 2U);
}

TEST(Backlog, KeepsTheOrderOfTheOthersWhenOneIsTakenOut) {
    Backlog backlog(4);
    for (const std::uint32_t flow : {4U, 7U, 1U, 3U}) {
        backlog.push({flow, {}});
    }
    backlog.remove_if([](std::uint32_t flow) { return flow == 7; });
    EXPECT_EQ(backlog.pop().flow, 4U);
    EXPECT_EQ(backlog.pop().flow, 1U);
    EXPECT_EQ(backlog.pop().flow, 3U);
    EXPECT_TRUE(backlog.empty());
}

TEST(Backlog, RemembersSinceWhenAFlowWaits) {
    Backlog backlog(1);
    backlog.push({5, MonoTime{Nanos{42}}});
    EXPECT_EQ(backlog.front().since, MonoTime{Nanos{42}});
}

}  // namespace
}  // namespace groma
