#include "common/stats/histograms/confidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <vector>

#include "common/stats/histograms/batch_means.hpp"

namespace groma {
namespace {

TEST(ShareInterval, IsThatOfWilson) {
    // [Newcombe 1998, table I]: 81 of 263, 15 of 148, 0 of 20.
    EXPECT_NEAR(share_interval(81.0 / 263, 263).low, 0.2553, 5e-5);
    EXPECT_NEAR(share_interval(81.0 / 263, 263).high, 0.3662, 5e-5);
    EXPECT_NEAR(share_interval(15.0 / 148, 148).low, 0.0624, 5e-5);
    EXPECT_NEAR(share_interval(15.0 / 148, 148).high, 0.1605, 5e-5);
    EXPECT_EQ(share_interval(0, 20).low, 0);
    EXPECT_NEAR(share_interval(0, 20).high, 0.1611, 5e-5);
}

TEST(PercentileInterval, HasTheValuesOfTheseRanks) {
    LogHistogram values;
    for (std::int64_t value = 1; value <= 100; ++value) {
        values.add(value);
    }
    const auto median = percentile_interval(values, 0.5, 100).value();
    EXPECT_EQ(median.low, 41);  // 0.4038 and 0.5962
    EXPECT_EQ(median.high, 60);
}

TEST(PercentileInterval, NeedsFiveIndependentValuesOnEitherSide) {
    LogHistogram values;
    EXPECT_FALSE(percentile_interval(values, 0.5, 100));
    values.add(1, 1000);
    EXPECT_TRUE(percentile_interval(values, 0.99, 501));
    EXPECT_FALSE(percentile_interval(values, 0.99, 499));
    EXPECT_FALSE(percentile_interval(values, 0.01, 499));
}

using Draw = std::function<double(std::mt19937_64&)>;

/// The share of 2000 runs of 4000 values in which the interval has the true percentile, by this many independent
/// values: (deviation / error of the mean)^2, as of a flow's delays.
double coverage(double fraction, std::int64_t truth, const std::function<Draw()>& begin) {
    constexpr int kRuns = 2000;
    std::mt19937_64 random(11);
    int covered = 0;
    for (int run = 0; run < kRuns; ++run) {
        const Draw draw = begin();
        LogHistogram values;
        BatchMeans means;
        std::vector<std::int64_t> all(4000);
        std::ranges::generate(all, [&] { return std::llround(1e6 * draw(random)); });
        values.add(all);
        means.add(all);
        const double errors = values.deviation() / means.error().value();
        const auto interval = percentile_interval(values, fraction, std::min(errors * errors, 4000.0));
        // The ends are those of bins, which are off by 1/128.
        covered += interval and interval->low <= truth and truth <= interval->high ? 1 : 0;
    }
    return covered / static_cast<double>(kRuns);
}

Draw exponential() {
    return [](std::mt19937_64& random) { return std::exponential_distribution<double>()(random); };
}

/// Normal, each correlated with the one before it.
Draw correlated(double by) {
    return [by, last = std::optional<double>()](std::mt19937_64& random) mutable {
        std::normal_distribution<double> normal;
        last = last ? by * *last + std::sqrt(1 - by * by) * normal(random) : normal(random);
        return *last;
    };
}

TEST(Coverage, OfAPercentileIsThatOfIndependentValuesAndNotLessWithNeighboursThatDepend) {
    EXPECT_NEAR(coverage(0.5, 693'147, exponential), 0.95, 0.02);
    EXPECT_NEAR(coverage(0.99, 4'605'170, exponential), 0.95, 0.02);
    const auto close = [] { return correlated(0.9); };
    EXPECT_NEAR(coverage(0.5, 0, close), 0.96, 0.02);
    EXPECT_NEAR(coverage(0.9, 1'281'552, close), 0.98, 0.02);
}

}  // namespace
}  // namespace groma
