#include "common/metrics/time_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace groma {
namespace {

std::uint64_t up_to(const TimeHistogram& times, std::int64_t bound_ns) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < TimeHistogram::kBounds and TimeHistogram::kBoundsNs[i] <= bound_ns; ++i) {
        count += times.buckets()[i];
    }
    return count;
}

TEST(TimeHistogram, BoundsGoFromAMicrosecondToTenSeconds) {
    EXPECT_EQ(TimeHistogram::kBoundsNs.front(), 1'000);
    EXPECT_EQ(TimeHistogram::kBoundsNs[4], 20'000);
    EXPECT_EQ(TimeHistogram::kBoundsNs.back(), 10'000'000'000);
    EXPECT_TRUE(std::ranges::is_sorted(TimeHistogram::kBoundsNs, std::less_equal()));
}

TEST(TimeHistogram, EachValueIsInTheBucketOfItsSize) {
    LogHistogram values;
    values.add(0);
    values.add(999);
    values.add(1'500);
    values.add(3'000'000, 4);
    values.add(60'000'000'000);
    TimeHistogram times;
    times.add(values);
    EXPECT_EQ(up_to(times, 1'000), 2U);
    EXPECT_EQ(up_to(times, 2'000), 3U);
    EXPECT_EQ(up_to(times, 2'000'000), 3U);
    EXPECT_EQ(up_to(times, 5'000'000), 7U);
    EXPECT_EQ(up_to(times, 10'000'000'000), 7U);
    EXPECT_EQ(times.buckets().back(), 1U);
    EXPECT_EQ(times.count(), 8U);
    EXPECT_NEAR(times.sum_seconds(), 60.012, 60.012 / 128);
    EXPECT_EQ(times.below_zero(), 0U);
}

TEST(TimeHistogram, ABaseMovesValues) {
    LogHistogram above;
    above.add(0);
    above.add(5'000);
    TimeHistogram times;
    times.add(above, 1'000'000);
    EXPECT_EQ(up_to(times, 1'000'000), 1U);
    EXPECT_EQ(up_to(times, 2'000'000), 2U);
}

TEST(TimeHistogram, WhatIsNegativeIsCountedApart) {
    LogHistogram values;
    values.add(-400'000, 3);
    values.add(70'000);
    TimeHistogram times;
    times.add(values);
    EXPECT_EQ(times.below_zero(), 3U);
    EXPECT_EQ(times.count(), 1U);
    EXPECT_NEAR(times.sum_seconds(), 70e-6, 1e-6);
}

TEST(TimeHistogram, SumsAddUp) {
    LogHistogram values;
    values.add(2'500, 10);
    values.add(-1);
    TimeHistogram one;
    one.add(values);
    TimeHistogram two;
    two.add(one);
    two.add(one);
    EXPECT_EQ(two.count(), 20U);
    EXPECT_EQ(two.below_zero(), 2U);
    EXPECT_DOUBLE_EQ(two.sum_seconds(), 2 * one.sum_seconds());
}

}  // namespace
}  // namespace groma
