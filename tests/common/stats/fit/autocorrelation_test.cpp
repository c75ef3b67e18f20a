#include "common/stats/fit/autocorrelation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace groma {
namespace {

std::vector<double> streamed(const std::vector<double>& values, std::size_t lags) {
    Autocorrelation meter(lags);
    for (const double value : values) {
        meter.add(value);
    }
    return meter.values();
}

/// By the definition, over the whole list.
std::vector<double> slow(const std::vector<double>& values, std::size_t lags) {
    double mean = 0;
    for (const double value : values) {
        mean += value / static_cast<double>(values.size());
    }
    std::vector<double> products(lags + 1);
    for (std::size_t k = 0; k <= lags; ++k) {
        for (std::size_t t = k; t < values.size(); ++t) {
            products[k] += (values[t] - mean) * (values[t - k] - mean);
        }
    }
    for (std::size_t k = 1; k <= lags; ++k) {
        products[k] /= products[0];
    }
    return {products.begin() + 1, products.end()};
}

TEST(Autocorrelation, IsTheDefinitionWhateverTheLength) {
    std::mt19937 noise(1);
    std::uniform_real_distribution<double> uniform(1e9, 1.001e9);
    for (const std::size_t count : {2U, 3U, 10U, 11U, 12U, 100U, 1000U}) {
        std::vector<double> values(count);
        for (double& value : values) {
            value = uniform(noise);
        }
        const std::size_t lags = std::min<std::size_t>(count - 1, 10);
        const auto expected = slow(values, lags);
        const auto found = streamed(values, 10);
        ASSERT_EQ(found.size(), lags);
        for (std::size_t k = 0; k < lags; ++k) {
            EXPECT_NEAR(found[k], expected[k], 1e-9) << count << ' ' << k;
        }
    }
}

TEST(Autocorrelation, OfAnAutoregressionFallsByItsFactor) {
    std::mt19937_64 noise(2);
    std::normal_distribution<double> normal;
    constexpr double kFactor = 0.7;
    constexpr int kValues = 200'000;
    Autocorrelation meter(20);
    double x = 0;
    for (int t = 0; t < kValues; ++t) {
        x = kFactor * x + normal(noise);
        meter.add(x);
    }
    const auto found = meter.values();
    // Bartlett's variance is at most (1 + a^2)/(1 - a^2)/n.
    const double error = std::sqrt((1 + 0.49) / (1 - 0.49) / kValues);
    for (std::size_t k = 0; k < 20; ++k) {
        EXPECT_NEAR(found[k], std::pow(kFactor, static_cast<double>(k + 1)), 5 * error);
    }
}

TEST(Autocorrelation, OfWhiteNoiseIsWithinTheBandIn95Of100Lags) {
    std::mt19937_64 noise(3);
    std::exponential_distribution<double> exponential;
    Autocorrelation meter(1000);
    for (int t = 0; t < 50'000; ++t) {
        meter.add(exponential(noise));
    }
    int outside = 0;
    for (const double value : meter.values()) {
        outside += std::abs(value) > meter.band() ? 1 : 0;
    }
    EXPECT_NEAR(meter.band(), 1.96 / std::sqrt(50'000), 1e-6);
    EXPECT_NEAR(outside, 50, 5 * std::sqrt(47.5));  // binomial
}

TEST(Autocorrelation, OfEqualValuesAndOfTooFewIsUnknown) {
    EXPECT_TRUE(streamed(std::vector<double>(100, 0.1), 5).empty());
    EXPECT_TRUE(streamed({1}, 5).empty());
    EXPECT_TRUE(streamed({}, 5).empty());
    EXPECT_EQ(streamed({1, 2}, 5).size(), 1U);
}

TEST(Autocorrelation, KnowsMeanAndDeviation) {
    Autocorrelation meter(2);
    for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) {
        meter.add(value);
    }
    EXPECT_DOUBLE_EQ(meter.mean(), 5);
    EXPECT_DOUBLE_EQ(meter.deviation(), std::sqrt(32.0 / 7));
}

}  // namespace
}  // namespace groma
