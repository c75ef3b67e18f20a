#include "common/shipping/spool/spool_budget.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr MonoTime kNow{Nanos{1}};

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
    budget.measured({{"", 3}, {"lab", 5}}, kNow);
    EXPECT_FALSE(budget.take(3)) << "five bytes are others'";
    EXPECT_TRUE(budget.take(2));
    budget.measured({{"", 4}}, kNow);
    EXPECT_TRUE(budget.take(5)) << "less than what is in use: others have none";
}

TEST(SpoolBudget, APartHasItsOwnLimitWithinTheWhole) {
    const auto whole = std::make_shared<SpoolBudget>(100);
    SpoolBudget part({.key = "this", .bytes = 60, .why = "no more for this key"}, whole);
    SpoolBudget other({.key = "that", .bytes = 60, .why = "no more for that key"}, whole);
    EXPECT_EQ(part.limit(), 60U);
    ASSERT_TRUE(part.take(50));
    EXPECT_FALSE(part.take(11));
    EXPECT_EQ(part.shortage(11), "no more for this key");
    EXPECT_EQ(whole->used(), 50U) << "a refusal takes nothing";
    EXPECT_FALSE(other.take(51));
    EXPECT_NE(other.shortage(51).find("limit of 100 bytes (--spool-limit)"), std::string::npos);
    EXPECT_EQ(other.used(), 0U);
    part.give_back(20);
    ASSERT_TRUE(other.take(60));
    part.leave(30);
    EXPECT_EQ(whole->used(), 60U);
    EXPECT_FALSE(whole->take(11)) << "what was left is not free";
    EXPECT_FALSE(part.take(31));
    EXPECT_EQ(SpoolBudget({.key = "this", .bytes = 200, .why = ""}, whole).limit(), 100U);
}

TEST(SpoolBudget, PartsForOneKeyShareWhatTheyTake) {
    const auto whole = std::make_shared<SpoolBudget>(1000);
    SpoolBudget one({.key = "lab", .bytes = 60, .why = "no more"}, whole);
    SpoolBudget next({.key = "lab", .bytes = 80, .why = "no more"}, whole);
    SpoolBudget of_another({.key = "other", .bytes = 60, .why = "no more"}, whole);
    ASSERT_TRUE(one.take(50));
    EXPECT_FALSE(next.take(31));
    EXPECT_TRUE(next.take(30)) << "its own limit";
    EXPECT_FALSE(one.take(1));
    EXPECT_TRUE(of_another.take(60));
    next.give_back(30);
    EXPECT_TRUE(one.take(10));
}

TEST(SpoolBudget, APartCountsWhatIsOnTheDiskUnderItsKey) {
    const auto whole = std::make_shared<SpoolBudget>(1000);
    EXPECT_TRUE(whole->is_to_be_measured(kNow + std::chrono::seconds(2)));
    SpoolBudget part({.key = "lab", .bytes = 60, .why = "no more"}, whole);
    ASSERT_TRUE(part.take(10));
    whole->measured({{"", 300}, {"lab", 50}}, kNow);
    EXPECT_FALSE(part.take(11)) << "40 bytes were left by others, 10 are in use";
    EXPECT_TRUE(part.take(10));
    EXPECT_TRUE(whole->is_to_be_measured(kNow + std::chrono::seconds(2))) << "others may deliver what was left";
    whole->measured({}, kNow);
    EXPECT_FALSE(whole->is_to_be_measured(kNow + std::chrono::seconds(2)));
    EXPECT_TRUE(part.take(40));
}

}  // namespace
}  // namespace groma
