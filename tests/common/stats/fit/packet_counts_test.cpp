#include "common/stats/fit/packet_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "tests/common/stats/gaussian_noise.hpp"

namespace groma {
namespace {

constexpr double kMeanGapNs = 1e6;

template <typename Gap>
CountFigures figures_of(std::size_t packets, Gap gap) {
    PacketCounts counts;
    double at = 1.7e18;
    for (std::size_t i = 0; i < packets; ++i) {
        counts.add(static_cast<std::int64_t>(at));
        at += gap();
    }
    return counts.figures();
}

TEST(PacketCounts, APoissonProcessHasADispersionOfOneAndAHurstParameterOfAHalf) {
    std::mt19937_64 noise(1);
    std::exponential_distribution<double> gap(1 / kMeanGapNs);
    const CountFigures figures = figures_of(200'000, [&] { return gap(noise); });
    ASSERT_GE(figures.scales.size(), 12U);
    EXPECT_NEAR(figures.scales.front().scale_s, 1.024e-3, 1e-9);
    for (const CountScale& scale : figures.scales) {
        const double blocks = static_cast<double>(scale.blocks);
        // The variance of a variance of Poisson counts: 2/k + 1/(k mean).
        const double error = std::sqrt(2 / (blocks - 1) + 1 / (blocks * scale.mean));
        EXPECT_NEAR(scale.dispersion, 1, 4.5 * error) << scale.scale_s;
        EXPECT_NEAR(scale.mean, scale.scale_s * 1000, 0.02 * scale.mean) << scale.scale_s;
    }
    ASSERT_TRUE(figures.wavelet and figures.variance_time);
    EXPECT_NEAR(figures.wavelet->value, 0.5, 4 * figures.wavelet->error);
    EXPECT_NEAR(figures.variance_time->value, 0.5, 0.05);
}

TEST(PacketCounts, AConstantRateHasHardlyAnyDispersion) {
    const CountFigures figures = figures_of(100'000, [] { return 1'000'000.0; });
    // Counts are one of two numbers that are one apart: their variance is at most a quarter.
    for (const CountScale& scale : figures.scales) {
        EXPECT_LE(scale.dispersion, 0.26 / scale.mean) << scale.scale_s;
    }
}

TEST(PacketCounts, BatchesOfPoissonArrivalsHaveTheDispersionOfTheirSize) {
    // Of batches of b packets, b.
    std::mt19937_64 noise(2);
    std::exponential_distribution<double> gap(1 / kMeanGapNs);
    int left = 0;
    const CountFigures figures = figures_of(400'000, [&] {
        left = left == 0 ? 3 : left - 1;
        return left == 0 ? gap(noise) : 0;
    });
    for (const CountScale& scale : figures.scales) {
        if (scale.blocks > 1000) {
            EXPECT_NEAR(scale.dispersion, 4, 4 * 6 * std::sqrt(2.0 / static_cast<double>(scale.blocks)))
                << scale.scale_s;
        }
    }
}

TEST(PacketCounts, ARateThatIsFractionalNoiseHasItsHurstParameter) {
    // Packets fall into blocks of 100 ms at a rate of fractional noise: a doubly stochastic Poisson process.
    const auto noise = fractional_noise(0.85, 1U << 13U, 5);
    std::mt19937_64 random(6);
    PacketCounts counts;
    for (std::size_t block = 0; block < noise.size(); ++block) {
        const double rate = std::max(100 + 40 * noise[block], 1.0);
        std::poisson_distribution<int> packets(rate);
        const int here = packets(random);
        for (int i = 0; i < here; ++i) {
            counts.add(static_cast<std::int64_t>((static_cast<double>(block) + i / static_cast<double>(here)) * 1e8));
        }
    }
    const CountFigures figures = counts.figures();
    ASSERT_TRUE(figures.wavelet and figures.variance_time);
    EXPECT_NEAR(figures.wavelet->value, 0.85, 4 * figures.wavelet->error);
    EXPECT_GT(figures.scales.back().dispersion, 10 * figures.scales.front().dispersion);
}

TEST(PacketCounts, FewPacketsAndAnyTimesAreNoHarm) {
    EXPECT_TRUE(PacketCounts().figures().scales.empty());
    PacketCounts one;
    one.add(5);
    EXPECT_TRUE(one.figures().scales.empty());
    PacketCounts wild;
    for (const std::int64_t at : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                                  std::int64_t{-5}, std::numeric_limits<std::int64_t>::max()}) {
        wild.add(at);
    }
    const CountFigures figures = wild.figures();
    EXPECT_LE(figures.scales.size(), 60U);
    PacketCounts together;
    for (int i = 0; i < 1000; ++i) {
        together.add(7);
    }
    EXPECT_TRUE(together.figures().scales.empty());
}

}  // namespace
}  // namespace groma
