#include "joint/joint_start.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

TEST(JointStart, IsThereWhenAllAreReadyAfterTheLargestMargin) {
    ManualClock clock;
    JointStart joint(2, clock);
    joint.ready(3s);
    EXPECT_EQ(joint.start().now_known(), std::nullopt);
    joint.ready(1s);
    EXPECT_EQ(joint.start().now_known(), clock.now() + 3s + kToldOfStart);
    joint.call_off();
    EXPECT_FALSE(joint.called_off()) << "it has begun";
    EXPECT_EQ(joint.start().wait(clock, 1s, [] { return false; }), clock.now() + 3s + kToldOfStart);
}

TEST(JointStart, IsNotThereAnyMoreOnceOneHasCalledItOff) {
    ManualClock clock;
    JointStart joint(2, clock);
    joint.ready(1s);
    joint.call_off();
    joint.ready(1s);
    EXPECT_TRUE(joint.called_off());
    EXPECT_EQ(joint.start().now_known(), std::nullopt);
    EXPECT_THROW((void)joint.start().wait(clock, 1s, [] { return false; }), RunError);
}

TEST(AwaitedStart, IsWaitedForAsLongAsItMayTake) {
    ManualClock clock;
    AwaitedStart start;
    EXPECT_THROW((void)start.wait(clock, 0s, [] { return false; }), RunError);
    EXPECT_THROW((void)start.wait(clock, 1h, [] { return true; }), RunError) << "who waits has given up";
    start.call_off();
    EXPECT_FALSE(start.give(clock.now()));
    EXPECT_EQ(start.now_known(), std::nullopt);
}

}  // namespace
}  // namespace groma
