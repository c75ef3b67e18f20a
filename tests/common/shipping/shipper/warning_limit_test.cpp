#include "common/shipping/shipper/warning_limit.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr MonoTime kBegin{std::chrono::hours(1)};

/// The first ten, which are reported.
WarningLimit used_up() {
    WarningLimit limit;
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(limit.take("again", kBegin), "again");
    }
    return limit;
}

TEST(WarningLimit, AfterTenWarningsOneAMinuteIsToldAndTheOthersAreCounted) {
    WarningLimit limit = used_up();
    for (int i = 0; i < 1000; ++i) {
        EXPECT_EQ(limit.take("again", kBegin + std::chrono::milliseconds(i)), "");
    }
    EXPECT_EQ(limit.take("the last", kBegin + std::chrono::minutes(1)), "the last (earlier warnings left out: 1000)");
    EXPECT_EQ(limit.take("again", kBegin + std::chrono::minutes(1)), "");
}

TEST(WarningLimit, TheLastThatWasLeftOutIsToldWhenItsMinuteIsOver) {
    WarningLimit limit = used_up();
    EXPECT_EQ(limit.take("lost", kBegin), "");
    EXPECT_EQ(limit.take("back", kBegin), "");
    EXPECT_EQ(limit.due(kBegin + std::chrono::seconds(59)), "");
    EXPECT_EQ(limit.due(kBegin + std::chrono::seconds(60)), "back (earlier warnings left out: 1)");
    EXPECT_EQ(limit.due(kBegin + std::chrono::hours(1)), "");
}

TEST(WarningLimit, TheLastThatWasLeftOutIsToldAtTheEnd) {
    WarningLimit limit = used_up();
    EXPECT_EQ(limit.rest(kBegin), "");
    EXPECT_EQ(limit.take("back", kBegin), "");
    EXPECT_EQ(limit.rest(kBegin), "back");
    EXPECT_EQ(limit.rest(kBegin), "");
}

TEST(WarningLimit, RareWarningsAreAllTold) {
    WarningLimit limit;
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(limit.take("now and then", kBegin + i * std::chrono::minutes(1)), "now and then");
    }
}

}  // namespace
}  // namespace groma
