#include "decoder/analysis/bottleneck_rate.hpp"

#include <gtest/gtest.h>

#include <random>

namespace groma {
namespace {

/// A path of 8 Mbit/s that a flow keeps busy: a sample each 100 ms.
ConnectionSample of_busy_path(int place, double delivery_rate_bps) {
    ConnectionSample sample;
    sample.at = wall_time_from_ns(place * 100'000'000LL);
    sample.delivery_rate_bps = static_cast<std::uint64_t>(delivery_rate_bps);
    sample.application_limited = 0;
    sample.in_flight = 50'000;
    sample.acknowledged_bytes = static_cast<std::uint64_t>(place) * 100'000;
    return sample;
}

std::optional<double> rate_of(const std::vector<ConnectionSample>& samples) {
    BottleneckRate rate;
    for (const ConnectionSample& sample : samples) {
        rate.add(sample);
    }
    return rate.bps();
}

std::vector<ConnectionSample> of_rates(int count, double bps) {
    std::vector<ConnectionSample> samples;
    for (int place = 0; place < count; ++place) {
        samples.push_back(of_busy_path(place, bps));
    }
    return samples;
}

TEST(BottleneckRate, IsTheHighestMeanOfTenSamplesInARow) {
    std::vector<ConnectionSample> samples = of_rates(30, 2e6);
    for (int place = 10; place < 20; ++place) {
        samples[static_cast<std::size_t>(place)].delivery_rate_bps = place % 2 == 0 ? 6'000'000 : 5'000'000;
    }
    EXPECT_EQ(rate_of(samples), 5.5e6);
}

TEST(BottleneckRate, SamplesThatScatterAndOneThatIsFarOffDoNotMoveIt) {
    for (const double deviation : {0.02, 0.05}) {
        std::mt19937_64 random(3);
        std::normal_distribution<double> scattered(8e6, deviation * 8e6);
        std::vector<ConnectionSample> samples = of_rates(70, 0);
        for (ConnectionSample& sample : samples) {
            sample.delivery_rate_bps = static_cast<std::uint64_t>(scattered(random));
        }
        samples[33].delivery_rate_bps = 43'000'000'000;
        EXPECT_NEAR(*rate_of(samples), 8e6, 0.002 * 8e6) << deviation;
    }
}

TEST(BottleneckRate, WhatALossHeldBackDoesNotComeFasterThanItWasDelivered) {
    std::vector<ConnectionSample> samples = of_rates(10, 8e6);
    for (std::size_t place = 0; place < 3; ++place) {
        samples[place].acknowledged_bytes = 0;  // of the next 300 ms nothing is acknowledged before the fourth
    }
    samples[0].at = samples[2].at;
    EXPECT_EQ(rate_of(samples), 8e6);
}

TEST(BottleneckRate, NeedsTenSamplesInARowThatFilledThePath) {
    EXPECT_EQ(rate_of(of_rates(9, 8e6)), std::nullopt);
    const std::vector<ConnectionSample> full = of_rates(19, 8e6);
    EXPECT_EQ(rate_of(full), 8e6);
    for (const auto spoil :
         {+[](ConnectionSample& it) { it.application_limited = 1; }, +[](ConnectionSample& it) { it.in_flight = 0; },
          +[](ConnectionSample& it) { it.delivery_rate_bps.reset(); }}) {
        std::vector<ConnectionSample> samples = full;
        spoil(samples[9]);
        EXPECT_EQ(rate_of(samples), std::nullopt);
    }
}

TEST(BottleneckRate, OfAnOlderLogIsByTheDeliveryRatesAlone) {
    std::vector<ConnectionSample> samples = of_rates(10, 9e6);
    EXPECT_EQ(rate_of(samples), 8e6);
    for (ConnectionSample& sample : samples) {
        sample.acknowledged_bytes.reset();
        sample.application_limited.reset();
        sample.in_flight.reset();
    }
    EXPECT_EQ(rate_of(samples), 9e6);
}

}  // namespace
}  // namespace groma
