#include "common/stats/fit/sample_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/sampler.hpp"

namespace groma {
namespace {

// Extra hours of sleep of ten patients, second drug less first (Student 1908, "The probable error of a mean").
const std::vector<double> kSleep = {1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4};

TEST(SampleStatistics, AreStudentsOwn) {
    EXPECT_NEAR(mean_of(kSleep), 1.58, 1e-12);
    EXPECT_NEAR(deviation_of(kSleep).value(), 1.229995, 1e-6);
    // R: t.test(extra ~ group, data = sleep, paired = TRUE): 95 percent confidence interval 0.7001142 2.4598858.
    const Interval interval = student_interval(kSleep, 0.95).value();
    EXPECT_NEAR(interval.low, 0.7001142, 1e-7);
    EXPECT_NEAR(interval.high, 2.4598858, 1e-7);
}

TEST(SampleStatistics, UseTheTableOfT) {
    // Two values 0 and 2: mean 1, deviation sqrt(2), so that half the interval is t(1 degree of
    // freedom): 12.706, 63.657, 6.314 in every table.
    const std::vector<double> two = {0, 2};
    EXPECT_NEAR(student_interval(two, 0.95)->high - 1, 12.7062, 1e-4);
    EXPECT_NEAR(student_interval(two, 0.99)->high - 1, 63.6567, 1e-4);
    EXPECT_NEAR(student_interval(two, 0.90)->high - 1, 6.3138, 1e-4);
    // Three values -1, 0, 1: deviation 1; t(2) = 4.3027.
    EXPECT_NEAR(student_interval(std::vector<double>{-1, 0, 1}, 0.95)->high, 4.302653 / 1.7320508, 1e-6);
}

TEST(SampleStatistics, OfSharesAndOfWhatIsNotNegativeStayInTheirRange) {
    // Of 0, 0, 1: mean 1/3, deviation sqrt(1/3), half the interval t(2) / 3 = 1.434218.
    EXPECT_NEAR(student_interval(std::vector<double>{0, 0, 1}, 0.95)->low, 1.0 / 3 - 1.434218, 1e-6);
    EXPECT_EQ(student_interval(std::vector<double>{0, 0, 1}, 0.95, kNotNegative)->low, 0);
    EXPECT_NEAR(student_interval(std::vector<double>{0, 0, 1}, 0.95, kNotNegative)->high, 1.0 / 3 + 1.434218, 1e-6);
    EXPECT_EQ(student_interval(std::vector<double>{0, 0, 1}, 0.95, kShare), (Interval{0, 1}));
    EXPECT_EQ(student_interval(std::vector<double>{0.5, 1, 1}, 0.95, kShare)->high, 1);
    // Of 1, 2, 3: half the interval t(2) / sqrt(3) = 2.484138, which is 1.242069 of the mean.
    const Interval positive = *student_interval(std::vector<double>{1, 2, 3}, 0.95, kNotNegative);
    EXPECT_NEAR(positive.low, 2 * std::exp(-1.242069), 1e-5);
    EXPECT_NEAR(positive.high, 2 * std::exp(1.242069), 1e-5);
    // What is below the range is so by the clocks' error: their interval is the same as without a range.
    const std::vector<double> below = {-1, 2, 3};
    EXPECT_EQ(student_interval(below, 0.95, kNotNegative), student_interval(below, 0.95));
    EXPECT_FALSE(student_interval(std::vector<double>{1, 1000}, 0.9999, kNotNegative));
}

TEST(SampleStatistics, OfOneValueHaveNoSpread) {
    const std::vector<double> one = {7};
    EXPECT_EQ(mean_of(one), 7);
    EXPECT_EQ(median_of(one), 7);
    EXPECT_FALSE(deviation_of(one));
    EXPECT_FALSE(student_interval(one, 0.95));
}

TEST(SampleStatistics, OfEqualValuesAreExact) {
    const std::vector<double> same = {0.1, 0.1, 0.1};
    EXPECT_EQ(mean_of(same), 0.1);
    EXPECT_EQ(deviation_of(same), 0);
    EXPECT_EQ(student_interval(same, 0.95), (Interval{0.1, 0.1}));
}

TEST(SampleStatistics, KeepTheDigitsOfValuesFarFromZero) {
    const std::vector<double> times = {1.7e18, 1.7e18 + 1024, 1.7e18 + 2048};
    EXPECT_EQ(mean_of(times), 1.7e18 + 1024);
    EXPECT_EQ(deviation_of(times), 1024);
}

TEST(MedianInterval, IsTheOneOfHettmanspergerAndSheather) {
    // R, package BSDA: SIGN.test(sleep$extra[11:20], sleep$extra[1:10]): interpolated 95 percent interval
    // 0.9315 2.0054.
    const MedianInterval found = median_interval(kSleep, 0.95).value();
    EXPECT_NEAR(found.interval.low, 0.9315, 5e-5);
    EXPECT_NEAR(found.interval.high, 2.0054, 5e-5);
    EXPECT_EQ(found.coverage, 0.95);
}

TEST(MedianInterval, OfTooFewValuesIsTheirRangeAndSaysWhatThatCovers) {
    EXPECT_FALSE(median_interval(std::vector<double>{7}, 0.95));
    EXPECT_EQ(median_interval(std::vector<double>{3, 1}, 0.95), (MedianInterval{{1, 3}, 0.5}));
    EXPECT_EQ(median_interval(std::vector<double>{5, 1, 3, 2, 4}, 0.95), (MedianInterval{{1, 5}, 0.9375}));
    EXPECT_EQ(median_interval(std::vector<double>{5, 1, 3, 2, 4}, 0.9)->coverage, 0.9);
    EXPECT_EQ(median_interval(std::vector<double>{5, 1, 3, 2, 4, 6}, 0.95)->coverage, 0.95);
}

TEST(MedianInterval, OfMuchLessThanHalfStaysInOrder) {
    for (const double confidence : {1e-6, 0.01, 0.3}) {
        for (std::size_t count = 2; count < 20; ++count) {
            std::vector<double> values(count);
            std::iota(values.begin(), values.end(), 0.0);
            const Interval interval = median_interval(values, confidence)->interval;
            EXPECT_LE(interval.low, interval.high);
            EXPECT_NEAR(interval.low + interval.high, static_cast<double>(count - 1), 1e-9);
        }
    }
}

/// The share of 2000 repetitions in which `contains` is true of the values drawn.
template <typename Contains>
double share_of_repetitions(const Distribution& distribution, std::size_t count, Contains contains) {
    constexpr int kRepetitions = 2000;
    Sampler sampler(distribution, 1000 + count);
    std::vector<double> values(count);
    int covered = 0;
    for (int i = 0; i < kRepetitions; ++i) {
        std::ranges::generate(values, [&] { return sampler.draw(); });
        covered += contains(std::span<const double>(values)) ? 1 : 0;
    }
    return covered / static_cast<double>(kRepetitions);
}

TEST(Coverage, OfAMedianIsWhatWasAskedForWhateverTheDistribution) {
    const double e = std::exp(1.0);
    const std::vector<std::pair<Distribution, double>> medians = {{Normal{5, 2}, 5},
                                                                  {Exponential{1}, std::log(2.0)},
                                                                  {LogNormal{1, 1}, 1},
                                                                  {Pareto{1.5, 1}, std::pow(2, 1 / 1.5)},
                                                                  {Uniform{0, e}, e / 2}};
    for (const auto& [distribution, median] : medians) {
        for (const std::size_t count : {6U, 8U, 10U, 30U}) {
            const double share =
                share_of_repetitions(distribution, count, [m = median](std::span<const double> values) {
                    const Interval interval = median_interval(values, 0.95)->interval;
                    return interval.low <= m and m <= interval.high;
                });
            EXPECT_NEAR(share, 0.95, 0.02) << idt_to_string(distribution) << ", " << count << " values";
        }
    }
}

// docs/guide/batch.md says so.
TEST(Coverage, OfStudentsIntervalIsLessForSkewedFigures) {
    const std::vector<std::tuple<Distribution, double, double, double>> means = {
        {Normal{5, 2}, 5, 0.93, 0.97},
        {Exponential{1}, 1, 0.85, 0.94},
        {LogNormal{1, 0.5}, std::exp(0.125), 0.89, 0.95},
        {LogNormal{1, 1}, std::exp(0.5), 0.80, 0.90}};
    for (const auto& [distribution, mean, least, most] : means) {
        for (const std::size_t count : {3U, 5U, 10U, 30U}) {
            const double share = share_of_repetitions(distribution, count, [m = mean](std::span<const double> values) {
                const Interval interval = *student_interval(values, 0.95);
                return interval.low <= m and m <= interval.high;
            });
            EXPECT_GT(share, least) << idt_to_string(distribution) << ", " << count << " values";
            EXPECT_LT(share, most) << idt_to_string(distribution) << ", " << count << " values";
        }
    }
}

// docs/guide/batch.md says so.
TEST(Coverage, OfStudentsIntervalIsMoreOnTheScaleOfLogarithms) {
    const std::vector<std::tuple<Distribution, double, double, double>> means = {
        {Normal{5, 1}, 5, 0.93, 0.97},
        {Exponential{1}, 1, 0.91, 0.96},
        {LogNormal{1, 0.5}, std::exp(0.125), 0.91, 0.96},
        {LogNormal{1, 1}, std::exp(0.5), 0.86, 0.94}};
    for (const auto& [distribution, mean, least, most] : means) {
        for (const std::size_t count : {3U, 5U, 10U, 30U}) {
            const double share = share_of_repetitions(distribution, count, [m = mean](std::span<const double> values) {
                const Interval interval = *student_interval(values, 0.95, kNotNegative);
                return interval.low <= m and m <= interval.high;
            });
            EXPECT_GT(share, least) << idt_to_string(distribution) << ", " << count << " values";
            EXPECT_LT(share, most) << idt_to_string(distribution) << ", " << count << " values";
        }
    }
}

TEST(Quantiles, AreThoseOfNumpy) {
    // numpy.quantile([1, 2, 4, 8], [0, 0.25, 0.5, 0.75, 1]): 1, 1.75, 3, 5, 8.
    const std::vector<double> sorted = {1, 2, 4, 8};
    EXPECT_EQ(sorted_quantile(sorted, 0), 1);
    EXPECT_EQ(sorted_quantile(sorted, 0.25), 1.75);
    EXPECT_EQ(sorted_quantile(sorted, 0.5), 3);
    EXPECT_EQ(sorted_quantile(sorted, 0.75), 5);
    EXPECT_EQ(sorted_quantile(sorted, 1), 8);
    EXPECT_EQ(median_of(std::vector<double>{8, 1, 4}), 4);
}

TEST(MedianRange, OfAnEvenNumberOfValuesHasTheMeanOfTheMiddleTwo) {
    const MedianRange even = median_range_of(std::vector<double>{4, 1, 3, 9});
    EXPECT_EQ(even.median, 3.5);
    EXPECT_EQ(even.low, 1);
    EXPECT_EQ(even.high, 9);
    EXPECT_EQ(median_range_of(std::vector<double>{4, 1, 9}).median, 4);
    EXPECT_EQ(median_range_of(std::vector<double>{1e308, 1e308}).median, 1e308);
}

TEST(Box, HasWhiskersToTheFarthestValueWithinReach) {
    // Quartiles of 1 to 9 and 100: 3.25 and 7.75 (numpy), reach 1.5 * 4.5 = 6.75.
    const BoxFigures box = box_of(std::vector<double>{100, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    EXPECT_EQ(box.lower, 3.25);
    EXPECT_EQ(box.median, 5.5);
    EXPECT_EQ(box.upper, 7.75);
    EXPECT_EQ(box.whisker_low, 1);
    EXPECT_EQ(box.whisker_high, 9);
}

TEST(Box, OfOneValueIsALine) {
    const BoxFigures box = box_of(std::vector<double>{3});
    EXPECT_EQ(box.whisker_low, 3);
    EXPECT_EQ(box.upper, 3);
}

}  // namespace
}  // namespace groma
