#include "common/time/difference.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace groma {
namespace {

constexpr auto kFirst = wall_time_from_ns(std::numeric_limits<std::int64_t>::min());
constexpr auto kLast = wall_time_from_ns(std::numeric_limits<std::int64_t>::max());

TEST(Difference, IsExactForTimesThatMakeSense) {
    EXPECT_EQ(difference(wall_time_from_ns(1'700'000'000'000'000'123), wall_time_from_ns(23)),
              Nanos{1'700'000'000'000'000'100});
    EXPECT_EQ(difference(wall_time_from_ns(10), wall_time_from_ns(30)), Nanos{-20});
    EXPECT_EQ(difference(wall_time_from_ns(10), wall_time_from_ns(30), Nanos{5}), Nanos{-25});
}

TEST(Difference, SaturatesInsteadOfOverflowing) {
    EXPECT_EQ(difference(kLast, kFirst), kLongestSpan);
    EXPECT_EQ(difference(kFirst, kLast), -kLongestSpan);
    EXPECT_EQ(difference(kFirst, kLast, kLongestSpan), -kLongestSpan);
}

TEST(Difference, ATimeThatCannotBeMovedStays) {
    EXPECT_EQ(moved(wall_time_from_ns(10), Nanos{-30}), wall_time_from_ns(-20));
    EXPECT_EQ(moved(kLast, Nanos{1}), kLast);
}

}  // namespace
}  // namespace groma
