#include "common/stats/histograms/batch_means.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

constexpr int kMeanRuns = 2000;

/// The share of the runs in which 1.96 errors around the mean of `count` values contain the true mean. `draw` makes the
/// values of a run, and `unit` of them is 1.
template <typename Draw>
double mean_coverage(std::size_t count, double mean, double unit, Draw draw) {
    std::mt19937_64 random(7);
    std::vector<double> drawn(count);
    std::vector<std::int64_t> values(count);
    int covered = 0;
    for (int run = 0; run < kMeanRuns; ++run) {
        draw(random, drawn);
        std::ranges::transform(drawn, values.begin(), [&](double value) { return std::llround(value * unit); });
        const double found = std::accumulate(drawn.begin(), drawn.end(), 0.0) / static_cast<double>(count);
        covered += std::abs(found - mean) <= 1.96 * means_of(values).error().value() / unit ? 1 : 0;
    }
    return covered / static_cast<double>(kMeanRuns);
}

/// Of values each of which is `dependence` times the one before it and a normal number.
double coverage_of_mean(double dependence, std::size_t count = 4000) {
    return mean_coverage(count, 0, 1e6, [&](std::mt19937_64& random, std::vector<double>& values) {
        std::normal_distribution<double> noise(0, 1);
        double value = noise(random) / std::sqrt(1 - dependence * dependence);
        for (double& one : values) {
            one = value = dependence * value + noise(random);
        }
    });
}

/// Of delays in a queue that stalls after one packet in `every`, on average, for as long as kDrained packets take to
/// drain it.
double coverage_of_stalls(double every) {
    constexpr double kDrained = 100;
    constexpr std::size_t kBefore = 2000;  // packets until the first delay that counts
    const auto draw = [&](std::mt19937_64& random, std::vector<double>& values) {
        std::uniform_real_distribution<double> unit(0, 1);
        double waiting = 0;
        for (std::size_t i = 0; i < kBefore + values.size(); ++i) {
            waiting = std::max(waiting - 1, 0.0) + (unit(random) < 1 / every ? kDrained : 0);
            if (i >= kBefore) {
                values[i - kBefore] = waiting;
            }
        }
    };
    // Of a queue in discrete time: what comes, on average, and E(A (A - 1)) / (2 (1 - E(A))), A being kDrained or 0.
    const double comes = kDrained / every;
    return mean_coverage(4000, comes + comes * (kDrained - 1) / (2 * (1 - comes)), 1000, draw);
}

TEST(Coverage, OfAMeanIsThatOfItsErrorWhateverTheDependenceOfNeighbours) {
    EXPECT_NEAR(coverage_of_mean(0), 0.95, 0.02);
    EXPECT_NEAR(coverage_of_mean(0.5), 0.95, 0.02);
    EXPECT_NEAR(coverage_of_mean(0.9), 0.95, 0.025);
}

// Where the error of a mean is too small, and how much of the runs it covers then (docs/reference/metrics.md).

TEST(Coverage, OfAMeanIsTooSmallWhereFewLargeValuesMakeIt) {
    const double pareto = mean_coverage(4000, 3, 1000, [](std::mt19937_64& random, std::vector<double>& values) {
        std::uniform_real_distribution<double> unit(0, 1);
        std::ranges::generate(values, [&] { return std::pow(1 - unit(random), -1 / 1.5); });  // no variance
    });
    EXPECT_NEAR(pareto, 0.79, 0.03);
}

TEST(Coverage, OfAMeanIsTooSmallWhereAQueueStalls) {
    EXPECT_NEAR(coverage_of_stalls(400), 0.67, 0.03);
    EXPECT_NEAR(coverage_of_stalls(4000), 0.63, 0.03) << "once a run, on average";
}

TEST(Coverage, OfAMeanOfTheFewestValuesIsTooSmallWithDependence) {
    const double exponential = mean_coverage(65, 1, 1e6, [](std::mt19937_64& random, std::vector<double>& values) {
        std::exponential_distribution<double> drawn(1);
        std::ranges::generate(values, [&] { return drawn(random); });
    });
    EXPECT_NEAR(exponential, 0.93, 0.02);
    EXPECT_NEAR(coverage_of_mean(0, 65), 0.94, 0.02);
    EXPECT_NEAR(coverage_of_mean(0.5, 65), 0.83, 0.03);
    EXPECT_NEAR(coverage_of_mean(0.9, 65), 0.43, 0.04);
}

}  // namespace
}  // namespace groma
