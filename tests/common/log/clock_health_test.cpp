#include "common/log/clock_health.hpp"

#include <gtest/gtest.h>
#include <sys/timex.h>

namespace groma {
namespace {

TEST(ClockHealth, IsWhatTheKernelSays) {
    timex state{};
    const int answer = ::adjtimex(&state);
    ASSERT_GE(answer, 0);
    const auto health = clock_health();
    ASSERT_TRUE(health);
    EXPECT_EQ(health->synchronised, answer != TIME_ERROR);
    EXPECT_DOUBLE_EQ(health->frequency_ppm, static_cast<double>(state.freq) / 65536);
    EXPECT_GE(health->maximum_error, health->estimated_error);
}

TEST(ClockHealth, IsSaidInAPhrase) {
    EXPECT_EQ(describe(ClockHealth{}), "not synchronised");
    EXPECT_EQ(describe(ClockHealth{true, Nanos{500'000}, Nanos{12'000'000}, 3.5}),
              "synchronised, by its own account at most 12 ms off");
}

}  // namespace
}  // namespace groma
