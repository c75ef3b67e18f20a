#include "common/time/manual_clock.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using std::chrono::milliseconds;

TEST(ManualClock, MovesBothTimeLinesTogether) {
    ManualClock clock;
    const MonoTime mono = clock.now();
    const WallTime wall = clock.wall_now();
    clock.advance(milliseconds(3));
    EXPECT_EQ(clock.now() - mono, milliseconds(3));
    EXPECT_EQ(clock.wall_now() - wall, milliseconds(3));
}

TEST(ManualClock, OversleepsAsMuchAsItWasToldAndNeverGoesBack) {
    ManualClock clock;
    const MonoTime start = clock.now();
    clock.set_oversleep(milliseconds(1));
    clock.sleep_until(start + milliseconds(5));
    EXPECT_EQ(clock.now() - start, milliseconds(6));
    clock.sleep_until(start);
    EXPECT_EQ(clock.now() - start, milliseconds(6));
}

TEST(ManualClock, AStepOfTheWallClockDoesNotMoveDeadlines) {
    ManualClock clock;
    const MonoTime mono = clock.now();
    const WallTime wall = clock.wall_now();
    clock.step_wall(milliseconds(50));
    EXPECT_EQ(clock.now(), mono);
    EXPECT_EQ(clock.wall_now() - wall, milliseconds(50));
}

}  // namespace
}  // namespace groma
