#include "common/shipping/datagram/datagram_congestion.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr std::size_t kDatagramBytes = 1000;

TEST(CongestionWindow, GrowsByWhatIsAcknowledgedOfAWindowThatIsUsed) {
    CongestionWindow window(kDatagramBytes);
    ASSERT_EQ(window.bytes(), 10 * kDatagramBytes);
    window.on_acked(2000, 5000, 1);
    EXPECT_EQ(window.bytes(), 12'000U);
    window.on_acked(2000, 5999, 2);
    EXPECT_EQ(window.bytes(), 12'000U) << "less than half of it was used";
    window.on_acked(std::size_t{1} << 30U, 12'000, 3);
    EXPECT_EQ(window.bytes(), std::size_t{16} << 20U);
}

TEST(CongestionWindow, IsCutOnceForTheLossesOfOneRoundTrip) {
    CongestionWindow window(kDatagramBytes);
    window.on_lost(3, 20);
    EXPECT_EQ(window.bytes(), 5000U);
    window.on_lost(19, 30);
    EXPECT_EQ(window.bytes(), 5000U) << "it was sent before the window was cut";
    window.on_acked(5000, 5000, 19);
    EXPECT_EQ(window.bytes(), 5000U) << "so was this";
    window.on_lost(20, 40);
    EXPECT_EQ(window.bytes(), 4 * kDatagramBytes) << "the smallest one";
}

TEST(CongestionWindow, GrowsByADatagramInARoundTripAfterALoss) {
    CongestionWindow window(kDatagramBytes);
    window.on_lost(3, 20);
    EXPECT_FALSE(window.in_slow_start());
    window.on_acked(4999, 5000, 20);
    EXPECT_EQ(window.bytes(), 5000U);
    window.on_acked(1001, 5000, 21);
    EXPECT_EQ(window.bytes(), 6000U);
    window.on_acked(4999, 6000, 22);
    EXPECT_EQ(window.bytes(), 6000U);
    window.on_acked(1, 6000, 23);
    EXPECT_EQ(window.bytes(), 7000U) << "what is left of a round trip counts for the next one";
}

TEST(CongestionWindow, StartsSlowlyAgainAfterASilence) {
    CongestionWindow window(kDatagramBytes);
    window.on_silence();
    EXPECT_EQ(window.bytes(), 4000U);
    EXPECT_TRUE(window.in_slow_start());
    window.on_acked(1000, 4000, 1);
    EXPECT_EQ(window.bytes(), 5000U) << "half of what it was";
    window.on_acked(1000, 5000, 2);
    EXPECT_EQ(window.bytes(), 5000U);
}

TEST(CongestionWindow, HasRoomForFourDatagramsOfAnySize) {
    CongestionWindow window(kDatagramBytes);
    window.on_silence();
    window.set_datagram(2000);
    EXPECT_EQ(window.bytes(), 8000U);
    window.set_datagram(500);
    EXPECT_EQ(window.bytes(), 8000U);
    window.on_silence();
    EXPECT_EQ(window.bytes(), 2000U);
}

}  // namespace
}  // namespace groma
