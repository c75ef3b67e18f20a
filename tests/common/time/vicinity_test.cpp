#include "common/time/vicinity.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace groma {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000'000'000;
constexpr std::int64_t kRadius = Vicinity::kRadius;

TEST(Vicinity, HasWhatIsWithinItsRadius) {
    const Vicinity near(wall_time_from_ns(kNow));
    EXPECT_TRUE(near.has(wall_time_from_ns(kNow)));
    EXPECT_TRUE(near.has(kNow - kRadius, kNow + kRadius));
    EXPECT_FALSE(near.has(kNow - kRadius - 1, kNow));
    EXPECT_FALSE(near.has(kNow, kNow + kRadius + 1));
    EXPECT_FALSE(near.has(wall_time_from_ns(std::numeric_limits<std::int64_t>::min())));
}

TEST(Vicinity, NearTheEndsOfTimeItIsCutShort) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
    const Vicinity last(wall_time_from_ns(kLast));
    EXPECT_TRUE(last.has(kLast - kRadius, kLast));
    EXPECT_FALSE(last.has(kLast - kRadius - 1, kLast));
    EXPECT_FALSE(last.has(kFirst, kFirst));
    const Vicinity first(wall_time_from_ns(kFirst));
    EXPECT_TRUE(first.has(kFirst, kFirst + kRadius));
    EXPECT_FALSE(first.has(kFirst, kFirst + kRadius + 1));
    EXPECT_FALSE(first.has(kLast, kLast));
}

}  // namespace
}  // namespace groma
