#include "common/stats/fidelity.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kStart = wall_time_from_ns(1'700'000'000'000'000'000);

SentRecord packet(std::uint64_t seq, Nanos scheduled, Nanos lateness, std::uint32_t batch = 1) {
    return {.seq = seq, .sent_at = kStart + scheduled + lateness, .lateness = lateness, .size = 100, .batch = batch};
}

TEST(Fidelity, HasNoRatesWithoutPackets) {
    const Fidelity nothing = FidelityMeter().result();
    EXPECT_EQ(nothing.packets, 0U);
    EXPECT_EQ(nothing.scheduled_pps, 0);
    EXPECT_EQ(nothing.sent_pps, 0);
    EXPECT_EQ(nothing.rate_error(), 0);
}

TEST(Fidelity, HasNoRatesOfOnePacketButCountsIt) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 5us));
    EXPECT_EQ(meter.result().packets, 1U);
    EXPECT_EQ(meter.result().bytes, 100U);
    EXPECT_EQ(meter.result().sent_pps, 0);
    EXPECT_EQ(meter.result().lateness_ns.count(), 1U);
}

TEST(Fidelity, TellsTheRateThatWasAskedForFromTheOneThatWasSent) {
    FidelityMeter meter;
    for (unsigned i = 0; i < 11; ++i) {
        meter.add(packet(i, i * 1ms, i * 1ms));  // each gap is twice as long as asked for
    }
    const Fidelity result = meter.result();
    EXPECT_DOUBLE_EQ(result.scheduled_pps, 1000);
    EXPECT_DOUBLE_EQ(result.sent_pps, 500);
    EXPECT_DOUBLE_EQ(result.scheduled_bps, 800'000);
    EXPECT_DOUBLE_EQ(result.sent_bps, 400'000);
    EXPECT_DOUBLE_EQ(result.rate_error(), 0.5);
}

TEST(Fidelity, ASteadyDelayOfAllPacketsIsLatenessAndNoRateError) {
    FidelityMeter meter;
    for (unsigned i = 0; i < 100; ++i) {
        meter.add(packet(i, i * 1ms, 70us));
    }
    EXPECT_NEAR(meter.result().rate_error(), 0, 1e-12);
    EXPECT_EQ(meter.result().lateness_ns.min(), 70'000);
    EXPECT_EQ(meter.result().lateness_ns.max(), 70'000);
}

TEST(Fidelity, APacketIsLateBeyondATenthOfItsGap) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 5ms));  // no gap before it
    meter.add(packet(1, 1ms, 100us));
    meter.add(packet(2, 2ms, 101us));
    meter.add(packet(3, 12ms, 1ms));
    EXPECT_EQ(meter.result().late_packets, 1U);
}

TEST(Fidelity, AStepOfTheWallClockDoesNotMakeAPacketLate) {
    FidelityMeter meter;
    meter.add(packet(0, 10ms, 0us));
    meter.add(packet(1, 5ms, 0us));
    EXPECT_EQ(meter.result().late_packets, 0U);
    EXPECT_EQ(meter.result().sent_pps, 0);
}

TEST(Fidelity, SurvivesRecordsWithImpossibleTimes) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    FidelityMeter meter;
    meter.add({.seq = 0, .sent_at = wall_time_from_ns(-kMost), .lateness = Nanos{kMost}, .size = 1, .batch = 1});
    meter.add({.seq = 1, .sent_at = wall_time_from_ns(kMost), .lateness = Nanos{-kMost}, .size = 1, .batch = 1});
    EXPECT_EQ(meter.result().packets, 2U);
}

TEST(Fidelity, CountsPacketsThatWentAloneAndTogether) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 0us));
    meter.add(packet(1, 1ms, 1us, 3));
    meter.add(packet(2, 1ms, 1us, 3));
    meter.add(packet(3, 1ms, 1us, 3));
    const Fidelity result = meter.result();
    EXPECT_EQ(result.alone, 1U);
    EXPECT_EQ(result.batched, 3U);
    EXPECT_EQ(result.largest_batch, 3U);
}

}  // namespace
}  // namespace groma
