#include "receiver/live_meter.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using std::chrono::seconds;

constexpr MonoTime kStart{seconds(100)};

TEST(LiveMeter, SaysWhatCameInSinceTheLastLine) {
    LiveMeter meter(kStart);
    EXPECT_EQ(
        meter.line({.packets = 1000, .bytes = 512'000, .missing = 3, .sessions = 1, .flows = 2}, kStart + seconds(1)),
        "1 sessions, 2 flows: 1 kpps, 4.096 Mbit/s, lost so far 3");
    EXPECT_EQ(
        meter.line({.packets = 1500, .bytes = 768'000, .missing = 3, .sessions = 1, .flows = 2}, kStart + seconds(3)),
        "1 sessions, 2 flows: 250 pps, 1.024 Mbit/s, lost so far 3");
}

TEST(LiveMeter, SaysNothingButZerosWhenNothingComes) {
    LiveMeter meter(kStart);
    EXPECT_EQ(meter.line({}, kStart + seconds(1)), "0 sessions, 0 flows: 0 pps, 0 bit/s, lost so far 0");
}

TEST(LiveMeter, DividesByNoZeroWhenNoTimeHasPassed) {
    LiveMeter meter(kStart);
    EXPECT_EQ(meter.line({}, kStart), "0 sessions, 0 flows: 0 pps, 0 bit/s, lost so far 0");
}

}  // namespace
}  // namespace groma
