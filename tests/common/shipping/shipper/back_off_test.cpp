#include "common/shipping/shipper/back_off.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using std::chrono::milliseconds;

TEST(BackOff, DoublesUpToItsLimit) {
    BackOff pauses(milliseconds(50), milliseconds(300));
    EXPECT_EQ(pauses.next(1), milliseconds(50));
    EXPECT_EQ(pauses.next(1), milliseconds(100));
    EXPECT_EQ(pauses.next(1), milliseconds(200));
    EXPECT_EQ(pauses.next(1), milliseconds(300));
    EXPECT_EQ(pauses.next(1), milliseconds(300));
}

TEST(BackOff, ScattersThoseWhoLostOneServer) {
    BackOff pauses(milliseconds(100), milliseconds(100));
    EXPECT_EQ(pauses.next(0), milliseconds(50));
    EXPECT_EQ(pauses.next(0.5), milliseconds(75));
}

TEST(BackOff, BeginsAnewWhenItWentWell) {
    BackOff pauses(milliseconds(50), milliseconds(300));
    (void)pauses.next(1);
    (void)pauses.next(1);
    pauses.reset();
    EXPECT_EQ(pauses.next(1), milliseconds(50));
}

}  // namespace
}  // namespace groma
