#include "sender/engine/realtime_budget.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr MonoTime kStart{1000s};

TEST(RealtimeBudget, AWorkerThatSleepsEnoughKeepsRealTime) {
    RealtimeBudget budget;
    for (int i = 0; i < 100; ++i) {
        ASSERT_FALSE(budget.exceeded(kStart + i * 10ms, i * 1100us)) << i;
    }
}

TEST(RealtimeBudget, AWorkerThatHardlySleepsExceedsItWhenTheWindowEnds) {
    RealtimeBudget budget;
    EXPECT_FALSE(budget.exceeded(kStart, 5s));
    EXPECT_FALSE(budget.exceeded(kStart + 99ms, 5s));
    EXPECT_TRUE(budget.exceeded(kStart + 100ms, 5s + 9ms));
}

TEST(RealtimeBudget, WhatWasSleptBeforeTheWindowDoesNotCount) {
    RealtimeBudget budget;
    EXPECT_FALSE(budget.exceeded(kStart, 0s));
    EXPECT_FALSE(budget.exceeded(kStart + 100ms, 100ms));
    EXPECT_TRUE(budget.exceeded(kStart + 200ms, 100ms));
}

TEST(RealtimeBudget, ALongWindowIsJudgedByItsShare) {
    RealtimeBudget budget;
    EXPECT_FALSE(budget.exceeded(kStart, 0s));
    EXPECT_FALSE(budget.exceeded(kStart + 1s, 101ms));
    EXPECT_TRUE(budget.exceeded(kStart + 2s, 101ms + 99ms));
}

}  // namespace
}  // namespace groma
