#include "sender/engine/wakeup_guard.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace groma {
namespace {

using namespace std::chrono_literals;

TEST(WakeupGuard, StartsWithACautiousGuess) {
    EXPECT_EQ(WakeupGuard().value(), WakeupGuard::kFirst);
}

TEST(WakeupGuard, GrowsOnAHostThatWakesLate) {
    WakeupGuard guard;
    for (int i = 0; i < 30; ++i) {
        guard.add(500us);
    }
    EXPECT_GE(guard.value(), 450us);
    EXPECT_LE(guard.value(), 600us);
}

TEST(WakeupGuard, ShrinksOnAHostThatWakesInTimeButNotBelowItsFloor) {
    WakeupGuard guard;
    for (int i = 0; i < 10'000; ++i) {
        guard.add(3us);
    }
    EXPECT_EQ(guard.value(), WakeupGuard::kSmallest);
}

TEST(WakeupGuard, NeverSpinsForLongerThanItsCeiling) {
    WakeupGuard guard;
    for (int i = 0; i < 1000; ++i) {
        guard.add(1s);
    }
    EXPECT_EQ(guard.value(), WakeupGuard::kLargest);
}

TEST(WakeupGuard, OneTerribleSleepChangesLittle) {
    WakeupGuard guard;
    guard.add(10s);
    EXPECT_LE(guard.value(), WakeupGuard::kFirst * 3 / 2);
    for (int i = 0; i < 100; ++i) {
        guard.add(3us);
    }
    const Nanos before = guard.value();
    guard.add(10s);
    EXPECT_LE(guard.value(), before * 11 / 10 + 1ns);  // both are rounded down
}

TEST(WakeupGuard, LearnsInAFewSleepsWhatHostItIsOn) {
    WakeupGuard guard;
    for (int i = 0; i < 4; ++i) {
        guard.add(200us);
    }
    EXPECT_GE(guard.value(), 200us);
    EXPECT_LE(guard.value(), 310us);
}

TEST(WakeupGuard, WakingEarlyIsNoReasonToWakeEarlierStill) {
    WakeupGuard guard;
    guard.add(-30ms);
    EXPECT_LT(guard.value(), WakeupGuard::kFirst);
}

TEST(WakeupGuard, LeavesOneSleepInFiveHundredBeyondIt) {
    WakeupGuard guard;
    std::mt19937_64 random(1);
    int beyond = 0;
    constexpr int kSleeps = 200'000;
    for (int i = 0; i < kSleeps; ++i) {
        const double uniform = (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53;
        const Nanos oversleep{static_cast<Nanos::rep>(-40'000 * std::log(uniform))};
        beyond += oversleep > guard.value() ? 1 : 0;
        guard.add(oversleep);
    }
    EXPECT_NEAR(static_cast<double>(beyond) / kSleeps, 0.002, 0.0004);
}

}  // namespace
}  // namespace groma
