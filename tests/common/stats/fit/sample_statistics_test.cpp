#include "common/stats/fit/sample_statistics.hpp"

#include <gtest/gtest.h>

#include <vector>

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
