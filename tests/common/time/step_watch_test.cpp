#include "common/time/step_watch.hpp"

#include <gtest/gtest.h>

#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

constexpr Nanos kSecond = std::chrono::seconds(1);

TEST(StepWatch, SeesNothingWhileTimePasses) {
    ManualClock clock;
    StepWatch watch(clock);
    for (int i = 0; i < 1000; ++i) {
        clock.advance(kSecond);
        EXPECT_EQ(watch.poll(), std::nullopt);
    }
}

TEST(StepWatch, SaysEachStepOnce) {
    ManualClock clock;
    StepWatch watch(clock);
    for (const Nanos step : {Nanos{50'000'000}, Nanos{-50'000'000}, -3600 * kSecond, Nanos{1'000'001}}) {
        clock.advance(kSecond);
        clock.step_wall(step);
        EXPECT_EQ(watch.poll(), step);
        EXPECT_EQ(watch.poll(), std::nullopt);
    }
}

TEST(StepWatch, KeepsQuietAboutWhatIsNotMoreThanAMillisecond) {
    ManualClock clock;
    StepWatch watch(clock);
    clock.step_wall(Nanos{1'000'000});
    EXPECT_EQ(watch.poll(), std::nullopt);
}

/// A clock on a machine so busy that reading it takes longer than a step.
class BusyClock final : public Clock {
public:
    [[nodiscard]] MonoTime now() noexcept override {
        clock.advance(reading);
        return clock.now();
    }
    [[nodiscard]] WallTime wall_now() noexcept override { return clock.wall_now(); }
    void sleep_until(MonoTime deadline) noexcept override { clock.sleep_until(deadline); }

    ManualClock clock;
    Nanos reading{0};
};

TEST(StepWatch, ABusyMachineInventsNoStepAndHidesNone) {
    BusyClock clock;
    StepWatch watch(clock);
    clock.clock.step_wall(kSecond);
    clock.reading = Nanos{700'000};
    EXPECT_EQ(watch.poll(), std::nullopt);
    clock.reading = Nanos{300'000};
    const auto step = watch.poll();
    ASSERT_TRUE(step);
    EXPECT_NEAR(to_seconds(*step), 1, 0.0005);
    EXPECT_EQ(watch.poll(), std::nullopt);
}

}  // namespace
}  // namespace groma
