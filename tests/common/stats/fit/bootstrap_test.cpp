#include "common/stats/fit/bootstrap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace groma {
namespace {

double mean(std::span<const double> values) {
    return mean_of(values);
}

double median(std::span<const double> values) {
    return median_of(values);
}

/// The statistic of every possible resample, rising: what the bootstrap draws from.
std::vector<double> all_resamples(const std::vector<double>& values, const Statistic& statistic) {
    std::vector<std::size_t> digits(values.size(), 0);
    std::vector<double> all;
    for (;;) {
        std::vector<double> sample;
        std::ranges::transform(digits, std::back_inserter(sample), [&](std::size_t digit) { return values[digit]; });
        all.push_back(statistic(sample));
        std::size_t place = 0;
        while (place < digits.size() and ++digits[place] == values.size()) {
            digits[place++] = 0;
        }
        if (place == digits.size()) {
            std::ranges::sort(all);
            return all;
        }
    }
}

TEST(Bootstrap, DrawsFromAllResamplesAlike) {
    const std::vector<double> values = {1, 2, 4, 8, 16};
    for (const auto& statistic : {mean, median}) {
        const std::vector<double> exact = all_resamples(values, statistic);  // 3125 of them
        const Interval found =
            bootstrap_interval(values, statistic, {BootstrapMethod::percentile, 0.8, 200'000, 3}).value();
        EXPECT_NEAR(found.low, sorted_quantile(exact, 0.1), 0.11);
        EXPECT_NEAR(found.high, sorted_quantile(exact, 0.9), 0.11);
    }
}

TEST(Bootstrap, AgreesWithScipy) {
    // scipy 1.17: stats.bootstrap((values,), statistic, confidence_level=0.95, n_resamples=300000, method=...), with
    // Student's extra hours of sleep; two seeds agree within 0.01.
    const std::vector<double> sleep = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};
    struct Case {
        BootstrapMethod method;
        Statistic statistic;
        Interval expected;
    };
    for (const Case& one :
         {Case{BootstrapMethod::percentile, mean, {0.95, 2.38}}, Case{BootstrapMethod::percentile, median, {1.0, 1.9}},
          Case{BootstrapMethod::bca, mean, {1.05, 2.62}}}) {
        const Interval found = bootstrap_interval(sleep, one.statistic, {one.method, 0.95, 100'000, 7}).value();
        EXPECT_NEAR(found.low, one.expected.low, 0.015);
        EXPECT_NEAR(found.high, one.expected.high, 0.025);
    }
}

TEST(Bootstrap, OfAMedianDoesNotDependOnTheLastBits) {
    // In tenths, (1.2 + 1.4) / 2 is not exactly 1.3; in whole numbers 13 it is.
    const std::vector<double> whole = {12, 24, 13, 13, 0, 10, 18, 8, 46, 14};
    std::vector<double> tenths;
    for (const double value : whole) {
        tenths.push_back(value / 10);
    }
    const Interval a = bootstrap_interval(whole, median, {BootstrapMethod::bca, 0.95, 9999, 7}).value();
    const Interval b = bootstrap_interval(tenths, median, {BootstrapMethod::bca, 0.95, 9999, 7}).value();
    EXPECT_NEAR(a.low / 10, b.low, 1e-9);
    EXPECT_NEAR(a.high / 10, b.high, 1e-9);
}

TEST(Bootstrap, GivesTheSameIntervalForTheSameSeed) {
    const std::vector<double> values = {3, 1, 4, 1, 5, 9, 2, 6};
    const BootstrapOptions options{BootstrapMethod::bca, 0.95, 999, 42};
    EXPECT_EQ(bootstrap_interval(values, mean, options), bootstrap_interval(values, mean, options));
    BootstrapOptions other = options;
    other.seed = 43;
    EXPECT_NE(bootstrap_interval(values, mean, options), bootstrap_interval(values, mean, other));
}

TEST(Bootstrap, OfOneValueIsNoneAndOfEqualOnesIsAPoint) {
    EXPECT_FALSE(bootstrap_interval(std::vector<double>{1}, mean, {}));
    EXPECT_EQ(bootstrap_interval(std::vector<double>{2, 2, 2}, median, {}), (Interval{2, 2}));
}

TEST(Bootstrap, OfASymmetricSampleNeedsNoCorrection) {
    std::vector<double> values;
    for (int i = -10; i <= 10; ++i) {
        values.push_back(i);
    }
    const Interval plain = bootstrap_interval(values, mean, {BootstrapMethod::percentile, 0.95, 99'999, 1}).value();
    const Interval corrected = bootstrap_interval(values, mean, {BootstrapMethod::bca, 0.95, 99'999, 1}).value();
    EXPECT_NEAR(plain.low, corrected.low, 0.06);
    EXPECT_NEAR(plain.high, corrected.high, 0.06);
    // The deviation of a resampled mean is that of the values (divided by n) over sqrt(n).
    EXPECT_NEAR(plain.high, 1.96 * std::sqrt(770.0 / 21 / 21), 0.06);
}

}  // namespace
}  // namespace groma
