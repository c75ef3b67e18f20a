#include "common/stats/fidelity/gap_scales.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace groma {
namespace {

using Values = std::vector<std::int64_t>;

std::vector<GapScale> scales_of(const Values& times, const Values& lateness = {}) {
    GapScales scales;
    scales.add(times, lateness);
    return scales.scales(not lateness.empty());
}

Values poisson(int packets, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> gap(1e-5);
    Values times{1'700'000'000'000'000'000};
    while (static_cast<int>(times.size()) < packets) {
        times.push_back(times.back() + std::llround(gap(random)));
    }
    return times;
}

TEST(GapScales, ArePowersOfTwoAsLongAsThereAreEnoughStretches) {
    const auto scales = scales_of(poisson(1025, 1));
    ASSERT_EQ(scales.size(), 7U);
    for (std::size_t level = 0; level < scales.size(); ++level) {
        EXPECT_EQ(scales[level].gaps, std::uint64_t{1} << level);
        EXPECT_EQ(scales[level].stretches, 1024U >> level);
        EXPECT_FALSE(scales[level].allan_deviation);
    }
    EXPECT_TRUE(scales_of(poisson(16, 1)).empty());
}

TEST(GapScales, DispersionOfAPoissonProcessIsOneAtEachOfThem) {
    const auto scales = scales_of(poisson(1 << 18, 2));
    for (const GapScale& scale : scales) {
        // The error of a variance of n normal values is sqrt(2 / n) of it; gaps have twice that.
        EXPECT_NEAR(*scale.dispersion, 1, 5 * 2 * std::sqrt(2.0 / static_cast<double>(scale.stretches))) << scale.gaps;
    }
    EXPECT_NEAR(scales.front().mean_ns, 1e5, 1e3);
}

TEST(GapScales, DispersionOfAConstantRateIsZeroAndOfPairsTooFromTwoOn) {
    Values constant;
    Values pairs;
    for (std::int64_t i = 0; i < 1000; ++i) {
        constant.push_back(i * 1000);
        pairs.push_back(i / 2 * 2000);
    }
    for (const GapScale& scale : scales_of(constant)) {
        EXPECT_EQ(*scale.dispersion, 0);
    }
    const auto of_pairs = scales_of(pairs);
    EXPECT_NEAR(*of_pairs[0].dispersion, 1, 0.01);
    EXPECT_EQ(*of_pairs[1].dispersion, 0);
}

/// By their definitions, over all points.
GapScale by_definition(const Values& times, const Values& lateness, std::size_t gaps) {
    std::vector<double> stretches;
    double growth_squares = 0;
    std::size_t pairs = 0;
    for (std::size_t end = gaps; end < times.size(); end += gaps) {
        stretches.push_back(static_cast<double>(times[end] - times[end - gaps]));
        if (end >= 2 * gaps) {
            const auto second =
                static_cast<double>(lateness[end] - 2 * lateness[end - gaps] + lateness[end - 2 * gaps]);
            growth_squares += second * second;
            ++pairs;
        }
    }
    double mean = 0;
    for (const double stretch : stretches) {
        mean += stretch / static_cast<double>(stretches.size());
    }
    double variance = 0;
    for (const double stretch : stretches) {
        variance += (stretch - mean) * (stretch - mean) / static_cast<double>(stretches.size() - 1);
    }
    const double mean_gap = static_cast<double>(times.back() - times.front()) / static_cast<double>(times.size() - 1);
    return {.gaps = gaps,
            .stretches = stretches.size(),
            .mean_ns = mean,
            .dispersion = variance / (static_cast<double>(gaps) * mean_gap * mean_gap),
            .allan_deviation = std::sqrt(growth_squares / 2 / static_cast<double>(pairs)) / mean};
}

/// A rate of 1 per ms whose packets are late by noise and by a walk.
std::pair<Values, Values> late_packets(int packets, double noise, double walk, std::uint32_t seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    std::pair<Values, Values> found;
    double drift = 0;
    for (int i = 0; i < packets; ++i) {
        drift += walk * normal(random);
        found.second.push_back(std::llround(drift + noise * normal(random)));
        found.first.push_back(1'700'000'000'000'000'000 + std::int64_t{i} * 1'000'000 + found.second.back());
    }
    return found;
}

TEST(GapScales, AreThoseOfTheirDefinitions) {
    const auto [times, lateness] = late_packets(5000, 3000, 500, 3);
    for (const GapScale& scale : scales_of(times, lateness)) {
        const GapScale wanted = by_definition(times, lateness, scale.gaps);
        EXPECT_EQ(scale.stretches, wanted.stretches);
        EXPECT_NEAR(scale.mean_ns, wanted.mean_ns, 1e-9 * wanted.mean_ns);
        EXPECT_NEAR(*scale.dispersion, *wanted.dispersion, 1e-9 * *wanted.dispersion);
        EXPECT_NEAR(*scale.allan_deviation, *wanted.allan_deviation, 1e-9 * *wanted.allan_deviation);
    }
}

TEST(GapScales, AllanDeviationHasTheSlopeOfTheNoise) {
    const auto [noisy, noise] = late_packets(1 << 17, 1000, 0, 4);
    for (const GapScale& scale : scales_of(noisy, noise)) {  // white phase noise: sqrt(3) sigma / tau
        const double wanted = std::sqrt(3.0) * 1000 / scale.mean_ns;
        EXPECT_NEAR(*scale.allan_deviation, wanted, 4 * wanted / std::sqrt(static_cast<double>(scale.stretches)));
    }
    const auto [walking, walk] = late_packets(1 << 17, 0, 1000, 5);
    for (const GapScale& scale : scales_of(walking, walk)) {  // white frequency noise: sigma sqrt(m) / tau
        const double wanted = 1000 * std::sqrt(static_cast<double>(scale.gaps)) / scale.mean_ns;
        EXPECT_NEAR(*scale.allan_deviation, wanted, 4 * wanted / std::sqrt(static_cast<double>(scale.stretches)));
    }
}

TEST(GapScales, AreExactAfterADamagedFirstTime) {
    const auto [all, lateness] = late_packets(1 << 12, 3000, 500, 7);
    Values times = all;
    times.front() = 0;
    const auto scales = scales_of(times, lateness);
    const double mean = static_cast<double>(times.back()) / 4095;
    EXPECT_NEAR(scales.front().mean_ns, mean, 1e-12 * mean);
    for (const GapScale& scale : scales) {
        const GapScale wanted = by_definition(times, lateness, scale.gaps);
        EXPECT_NEAR(*scale.dispersion, *wanted.dispersion, 1e-9 * *wanted.dispersion);
    }
    GapScales anew;
    anew.add(0, 0);  // alone: it makes no stretch
    anew.begin_anew();
    anew.add(all, lateness);
    const auto without = scales_of(all, lateness);
    const auto found = anew.scales(true);
    ASSERT_EQ(found.size(), without.size());
    for (std::size_t level = 0; level < found.size(); ++level) {
        EXPECT_EQ(*found[level].dispersion, *without[level].dispersion);
    }
}

TEST(GapScales, DoNotSpanMissingPackets) {
    GapScales scales;
    Values times;
    for (std::int64_t part = 0; part < 40; ++part) {
        for (std::int64_t i = 0; i < 9; ++i) {
            scales.add(part * 1'000'000'000 + i * 1000, 0);
        }
        scales.begin_anew();
    }
    const auto found = scales.scales(true);
    ASSERT_EQ(found.size(), 4U);
    for (std::size_t level = 0; level < 4; ++level) {
        EXPECT_EQ(found[level].stretches, 40U * (8U >> level));
        EXPECT_EQ(found[level].mean_ns, 1000.0 * static_cast<double>(1U << level));
        EXPECT_EQ(*found[level].dispersion, 0);
    }
}

TEST(GapScales, OfDamagedTimesAreSomeNumber) {
    std::mt19937_64 random(6);
    GapScales scales;
    for (int i = 0; i < 1000; ++i) {
        scales.add(static_cast<std::int64_t>(random()), static_cast<std::int64_t>(random()));
    }
    EXPECT_EQ(scales.scales(true).front().stretches, 999U);
    EXPECT_TRUE(GapScales().scales(true).empty());
}

}  // namespace
}  // namespace groma
