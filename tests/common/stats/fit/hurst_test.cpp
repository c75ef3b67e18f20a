#include "common/stats/fit/hurst.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

#include "common/stats/fit/scaling_line.hpp"
#include "tests/common/stats/gaussian_noise.hpp"

namespace groma {
namespace {

constexpr std::size_t kValues = 1U << 15U;

template <typename Stage>
DyadicCascade<Stage> cascade_of(const std::vector<double>& values) {
    DyadicCascade<Stage> cascade;
    for (const double value : values) {
        cascade.add(value);
    }
    return cascade;
}

TEST(Hurst, TheNoiseOfTheTestsHasTheCovarianceThatItShouldHave) {
    for (const double hurst : {0.5, 0.75, 0.9}) {
        double variance = 0;
        double lag1 = 0;
        constexpr int kRuns = 20;
        for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
            const auto noise = fractional_noise(hurst, 4096, seed);
            for (std::size_t i = 1; i < noise.size(); ++i) {
                variance += noise[i] * noise[i] / 4095 / kRuns;
                lag1 += noise[i] * noise[i - 1] / 4095 / kRuns;
            }
        }
        EXPECT_NEAR(variance, 1, 0.1) << hurst;
        EXPECT_NEAR(lag1, std::pow(2.0, 2 * hurst - 1) - 1, 0.1) << hurst;
    }
}

struct Spread {
    double mean = 0;
    double error = 0;     ///< the root of the mean square
    double reported = 0;  ///< the mean of the estimates' own errors
};

template <typename Estimate>
Spread spread_of(double hurst, Estimate estimate) {
    constexpr int kRuns = 40;
    Spread spread;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        const HurstEstimate one = estimate(fractional_noise(hurst, kValues, seed)).value();
        spread.mean += one.value / kRuns;
        spread.error += (one.value - hurst) * (one.value - hurst) / kRuns;
        spread.reported += one.error / kRuns;
    }
    spread.error = std::sqrt(spread.error);
    return spread;
}

TEST(Hurst, ByWaveletIsRecoveredWithinItsError) {
    for (const double hurst : {0.5, 0.6, 0.75, 0.9}) {
        const Spread spread = spread_of(hurst, [](const std::vector<double>& noise) {
            const auto cascade = cascade_of<DaubechiesDetails>(noise);
            return wavelet_hurst(std::span(cascade.stages()).subspan(2));
        });
        EXPECT_NEAR(spread.mean, hurst, 0.02) << hurst;
        EXPECT_LT(spread.error, 2 * spread.reported) << hurst;
        EXPECT_GT(spread.error, 0.5 * spread.reported) << hurst;
        EXPECT_LT(spread.reported, 0.03) << hurst;
    }
}

TEST(Hurst, ByVarianceTimeIsRecovered) {
    for (const double hurst : {0.5, 0.6, 0.75, 0.9}) {
        const Spread spread = spread_of(hurst, [](const std::vector<double>& noise) {
            return variance_time_hurst(cascade_of<BlockSums>(noise).stages());
        });
        EXPECT_NEAR(spread.mean, hurst, 0.02) << hurst;
        EXPECT_LT(spread.error, 0.04) << hurst;
    }
}

TEST(Hurst, ALineOfDependenceIsFoundBehindTheScalesThatAreNotOnIt) {
    // White noise that is twice as strong on top: fine octaves are not on the line of H = 0.9.
    const auto noise = fractional_noise(0.9, 1U << 16U, 3);
    const auto white = fractional_noise(0.5, 1U << 16U, 4);
    std::vector<double> sum(noise.size());
    for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] = noise[i] + 2 * white[i];
    }
    const HurstEstimate found = wavelet_hurst(cascade_of<DaubechiesDetails>(sum).stages()).value();
    EXPECT_GT(found.first, 0U);
    EXPECT_GE(found.chance, 0.05);
    EXPECT_NEAR(found.value, 0.9, 4 * found.error + 0.05);
}

TEST(Hurst, OfTooFewValuesAndOfAConstantIsUnknown) {
    EXPECT_FALSE(wavelet_hurst(cascade_of<DaubechiesDetails>(fractional_noise(0.5, 16, 1)).stages()));
    EXPECT_FALSE(variance_time_hurst(cascade_of<BlockSums>(fractional_noise(0.5, 16, 1)).stages()));
    EXPECT_FALSE(wavelet_hurst(cascade_of<DaubechiesDetails>(std::vector<double>(1000, 0)).stages()));
    EXPECT_FALSE(variance_time_hurst(cascade_of<BlockSums>(std::vector<double>(1000, 1)).stages()));
}

TEST(Hurst, TheLogarithmOfAnEnergyIsUnbiasedAndSpreadsAsItSays) {
    for (const std::size_t values : {32U, 200U}) {
        double sum = 0;
        double squares = 0;
        double error = 0;
        constexpr int kRuns = 400;
        for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
            const auto cascade = cascade_of<DaubechiesDetails>(fractional_noise(0.5, 256, seed));
            DyadicCascade<DaubechiesDetails> part;
            const auto noise = fractional_noise(0.5, 256, seed);
            for (std::size_t i = 0; i < values; ++i) {
                part.add(noise[i]);
            }
            const LogEnergy energy = log_energy(part.stages().front()).value();
            sum += energy.log2_energy / kRuns;
            squares += energy.log2_energy * energy.log2_energy / kRuns;
            error += energy.error / kRuns;
        }
        EXPECT_NEAR(sum, 0, 4 * error / std::sqrt(kRuns)) << values;
        EXPECT_NEAR(std::sqrt(squares - sum * sum), error, 0.25 * error) << values;
    }
}

TEST(ScalingLine, IsTheWeightedLeastSquaresLine) {
    // Two points far more certain than the third decide.
    const std::vector<ScalePoint> points{{0, 1, 0.001}, {1, 3, 0.001}, {2, 50, 1000}};
    const ScalingLine line = weighted_line(points);
    EXPECT_NEAR(line.slope, 2, 1e-4);
    EXPECT_NEAR(line.at_zero, 1, 1e-4);
    // Equal weights: the slope's error is s / sqrt(sum (x - mean)^2).
    const std::vector<ScalePoint> even{{0, 0, 0.5}, {1, 1, 0.5}, {2, 2, 0.5}};
    EXPECT_NEAR(weighted_line(even).slope_error, 0.5 / std::sqrt(2), 1e-12);
    EXPECT_NEAR(weighted_line(even).chance, 1, 1e-12);
    // chi-square of one degree of freedom: 3.841 in 5 of 100.
    const double off = std::sqrt(3.841 * 1.5) * 0.5;  // the middle one's residual is 2/3 of it, the others' 1/3
    EXPECT_NEAR(weighted_line(std::vector<ScalePoint>{{0, 0, 0.5}, {1, 1 + off, 0.5}, {2, 2, 0.5}}).chance, 0.05,
                0.001);
}

TEST(ScalingLine, BeginsWhereALineIsNotRefused) {
    std::vector<ScalePoint> points;
    for (int i = 0; i < 10; ++i) {
        points.push_back({static_cast<double>(i), i < 4 ? 0.0 : 0.8 * (i - 4), 0.1});
    }
    const ScalingLine line = line_from_onset(points).value();
    EXPECT_GE(line.first, 3U);
    EXPECT_LE(line.first, 4U);
    EXPECT_NEAR(line.slope, 0.8, 0.05);
    EXPECT_FALSE(line_from_onset(std::vector<ScalePoint>{{0, 0, 1}, {1, 0, 1}}));
}

}  // namespace
}  // namespace groma
