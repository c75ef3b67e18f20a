#include "common/log/kernel_clock_health.hpp"

#include <gtest/gtest.h>
#include <sys/timex.h>

#include <optional>

namespace groma {
namespace {

TEST(ClockHealth, IsWhatTheKernelSays) {
    timex state{};
    timex behind{};
    int answer = 0;
    std::optional<ClockHealth> health;
    do {  // until the clock was not set in between
        state = behind = {};
        answer = ::adjtimex(&state);
        ASSERT_GE(answer, 0);
        health = clock_health();
    } while (::adjtimex(&behind) != answer or behind.freq != state.freq or behind.status != state.status);
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
