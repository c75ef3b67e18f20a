#include "common/stats/histograms/jitter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <vector>

namespace groma {
namespace {

JitterMeter meter_of(const std::vector<std::int64_t>& delays_ns) {
    JitterMeter meter;
    for (const auto delay : delays_ns) {
        meter.add(Nanos{delay});
    }
    return meter;
}

TEST(JitterMeter, IsZeroBelowTwoPackets) {
    EXPECT_EQ(meter_of({}).ditg_ns(), 0);
    EXPECT_EQ(meter_of({500}).ditg_ns(), 0);
    EXPECT_EQ(meter_of({500}).rfc3550_ns(), 0);
    EXPECT_EQ(meter_of({500}).rfc3550_mean_ns(), 0);
    EXPECT_EQ(meter_of({500}).rfc3550_max_ns(), 0);
}

TEST(JitterMeter, DitgIsTheMeanOfTheAbsoluteDifferences) {
    EXPECT_DOUBLE_EQ(meter_of({1000, 1600, 1400, 1400}).ditg_ns(), (600 + 200 + 0) / 3.0);
}

TEST(JitterMeter, Rfc3550SmoothsWithASixteenth) {
    // By hand: J1 = 1600/16 = 100; J2 = 100 + (320 - 100)/16 = 113.75.
    EXPECT_DOUBLE_EQ(meter_of({0, 1600, 1280}).rfc3550_ns(), 113.75);
}

TEST(JitterMeter, ReturnsEachDifferenceButNoneForTheFirstPacket) {
    JitterMeter meter;
    EXPECT_EQ(meter.add(Nanos{70}), std::nullopt);
    EXPECT_EQ(meter.add(Nanos{50}), Nanos{20});
}

TEST(JitterMeter, AConstantClockOffsetCancels) {
    const std::vector<std::int64_t> delays{900, 1100, 1050, 2000};
    std::vector<std::int64_t> shifted;
    for (const auto delay : delays) {
        shifted.push_back(delay - 1'000'000'000'000);
    }
    EXPECT_DOUBLE_EQ(meter_of(shifted).ditg_ns(), meter_of(delays).ditg_ns());
    EXPECT_DOUBLE_EQ(meter_of(shifted).rfc3550_ns(), meter_of(delays).rfc3550_ns());
}

TEST(JitterMeter, AgreesWithTheFormulasOverRandomDelays) {
    std::mt19937_64 engine(5);
    std::vector<std::int64_t> delays(1000);
    for (auto& delay : delays) {
        delay = static_cast<std::int64_t>(engine() % 10'000'000);
    }
    double sum = 0;
    double smoothed = 0;
    double sum_of_smoothed = 0;
    double most = 0;
    for (std::size_t i = 1; i < delays.size(); ++i) {
        const double change = std::abs(static_cast<double>(delays[i] - delays[i - 1]));
        sum += change;
        smoothed = smoothed + (change - smoothed) / 16.0;
        sum_of_smoothed += smoothed;
        most = std::max(most, smoothed);
    }
    const auto meter = meter_of(delays);
    EXPECT_NEAR(meter.ditg_ns(), sum / 999.0, 1e-3);
    EXPECT_NEAR(meter.rfc3550_ns(), smoothed, 1e-3);
    EXPECT_NEAR(meter.rfc3550_mean_ns(), sum_of_smoothed / 999.0, 1e-3);
    EXPECT_NEAR(meter.rfc3550_max_ns(), most, 1e-3);
    EXPECT_EQ(meter.differences(), 999U);
}

TEST(JitterMeter, PacketsTogetherAreAsOneByOne) {
    std::mt19937_64 engine(6);
    std::vector<std::int64_t> delays(2000);
    for (auto& delay : delays) {
        delay = static_cast<std::int64_t>(engine() % 10'000'000) - 5'000'000;
    }
    JitterMeter one_by_one;
    std::vector<std::int64_t> expected;
    for (const auto delay : delays) {
        expected.push_back(one_by_one.add(Nanos{delay}).value_or(Nanos{0}).count());
    }
    JitterMeter together;
    std::vector<std::int64_t> changes(delays.size());
    for (std::size_t first = 0, count = 0; first < delays.size(); first += count) {
        count = std::min<std::size_t>(engine() % 40, delays.size() - first);
        together.add(std::span(delays).subspan(first, count), std::span(changes).subspan(first, count));
        ASSERT_NEAR(together.rfc3550_ns(),
                    meter_of({delays.begin(), delays.begin() + static_cast<long>(first + count)}).rfc3550_ns(), 1e-6);
    }
    EXPECT_EQ(changes, expected);
    EXPECT_EQ(together.differences(), one_by_one.differences());
    EXPECT_EQ(together.ditg_ns(), one_by_one.ditg_ns());
    EXPECT_NEAR(together.rfc3550_ns(), one_by_one.rfc3550_ns(), 1e-9 * one_by_one.rfc3550_ns());
    EXPECT_NEAR(together.rfc3550_max_ns(), one_by_one.rfc3550_max_ns(), 1e-9 * one_by_one.rfc3550_max_ns());
}

}  // namespace
}  // namespace groma
