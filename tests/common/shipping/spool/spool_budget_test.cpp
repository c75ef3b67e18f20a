#include "common/shipping/spool/spool_budget.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(SpoolBudget, GivesAllOfItAndNoByteMore) {
    SpoolBudget budget(10);
    EXPECT_TRUE(budget.take(7));
    EXPECT_FALSE(budget.take(4));
    EXPECT_EQ(budget.used(), 7U) << "a refusal takes nothing";
    EXPECT_TRUE(budget.take(3));
    budget.give_back(2);
    EXPECT_FALSE(budget.take(3));
    EXPECT_TRUE(budget.take(2));
}

TEST(SpoolBudget, WhatASpoolLeavesIsUsedByNoneAndNotFreeEither) {
    SpoolBudget budget(10);
    ASSERT_TRUE(budget.take(7));
    budget.leave(7);
    EXPECT_EQ(budget.used(), 0U);
    EXPECT_FALSE(budget.take(4));
    EXPECT_TRUE(budget.take(3));
}

TEST(SpoolBudget, WhatIsOnTheDiskCountsBesideWhatIsInUse) {
    SpoolBudget budget(10);
    ASSERT_TRUE(budget.take(3));
    budget.measured(8);
    EXPECT_FALSE(budget.take(3)) << "five bytes are others'";
    EXPECT_TRUE(budget.take(2));
    budget.measured(4);
    EXPECT_TRUE(budget.take(5)) << "less than what is in use: others have none";
}

}  // namespace
}  // namespace groma
