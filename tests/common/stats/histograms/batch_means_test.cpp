#include "common/stats/histograms/batch_means.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace groma {
namespace {

BatchMeans means_of(const std::vector<std::int64_t>& values) {
    BatchMeans means;
    means.add(values);
    return means;
}

TEST(BatchMeans, NeedBatchesOfSeveralValues) {
    std::vector<std::int64_t> values(64);
    EXPECT_EQ(BatchMeans().error(), std::nullopt);
    EXPECT_EQ(means_of(values).error(), std::nullopt);
    values.push_back(0);
    EXPECT_EQ(means_of(values).error(), 0);
}

TEST(BatchMeans, HaveTheStandardErrorOfTheirMean) {
    std::vector<std::int64_t> values(129);
    std::iota(values.begin(), values.end(), 0);
    // Means of 0.5, 2.5 to 126.5: the variance of 0 to n - 1 is n (n + 1) / 12. The last value begins a batch.
    EXPECT_NEAR(means_of({values.begin(), values.begin() + 128}).error().value(), 2 * std::sqrt(64 * 65 / 12.0 / 64),
                1e-12);
}

TEST(BatchMeans, BecomeLongerAndLeaveOutTheLastOneUntilItIsComplete) {
    std::vector<std::int64_t> values(129);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = i / 2 % 2 == 0 ? 0 : 10;  // pairs of the same value
    }
    values.back() = 1'000'000;  // the first of the 65th pair
    // 64 means, 32 of 0 and 32 of 10: then 32 of 5, and a half.
    EXPECT_EQ(means_of({values.begin(), values.begin() + 128}).error().value(), std::sqrt(64 * 25 / 63.0 / 64));
    EXPECT_EQ(means_of(values).error(), 0);
}

TEST(BatchMeans, DoNotDependOnHowValuesAreAdded) {
    std::mt19937_64 random(3);
    std::vector<std::int64_t> values(5000);
    for (auto& value : values) {
        value = static_cast<std::int64_t>(random() % 1000) - 500;
    }
    BatchMeans in_parts;
    for (std::size_t first = 0, count = 0; first < values.size(); first += count) {
        count = std::min<std::size_t>(random() % 400, values.size() - first);
        in_parts.add(std::span(values).subspan(first, count));
    }
    EXPECT_DOUBLE_EQ(in_parts.error().value(), means_of(values).error().value());
}

/// The share of 2000 runs in which 1.96 errors around the mean of 4000 values contain the true mean, 0. Each value is
/// `dependence` times the one before it and a normal number.
double coverage_of_mean(double dependence) {
    constexpr int kRuns = 2000;
    std::mt19937_64 random(7);
    std::normal_distribution<double> noise(0, 1e6);
    std::vector<std::int64_t> values(4000);
    int covered = 0;
    for (int run = 0; run < kRuns; ++run) {
        double value = noise(random) / std::sqrt(1 - dependence * dependence);
        double sum = 0;
        for (auto& one : values) {
            value = dependence * value + noise(random);
            one = std::llround(value);
            sum += value;
        }
        const double mean = sum / static_cast<double>(values.size());
        covered += std::abs(mean) <= 1.96 * means_of(values).error().value() ? 1 : 0;
    }
    return covered / static_cast<double>(kRuns);
}

TEST(Coverage, OfAMeanIsThatOfItsErrorWhateverTheDependenceOfNeighbours) {
    EXPECT_NEAR(coverage_of_mean(0), 0.95, 0.02);
    EXPECT_NEAR(coverage_of_mean(0.5), 0.95, 0.02);
    EXPECT_NEAR(coverage_of_mean(0.9), 0.95, 0.025);
}

}  // namespace
}  // namespace groma
