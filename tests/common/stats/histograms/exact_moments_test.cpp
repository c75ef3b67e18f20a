#include "common/stats/histograms/exact_moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace groma {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

ExactMoments moments_of(const std::vector<std::int64_t>& values) {
    ExactMoments moments;
    for (const std::int64_t value : values) {
        moments.add(value);
    }
    return moments;
}

/// Delays of a few milliseconds on clocks that are an hour apart.
std::vector<std::int64_t> delays(std::uint32_t seed, std::size_t count) {
    std::mt19937_64 engine(seed);
    std::vector<std::int64_t> values(count);
    for (auto& value : values) {
        value = std::int64_t{3'600'000'000'000} + static_cast<std::int64_t>(engine() % 9'000'000);
    }
    return values;
}

TEST(ExactMoments, OfNothingAndOfOneValue) {
    EXPECT_EQ(ExactMoments().mean(), 0);
    EXPECT_EQ(ExactMoments().deviation(), 0);
    EXPECT_EQ(moments_of({-7}).mean(), -7);
    EXPECT_EQ(moments_of({-7}).deviation(), 0);
}

TEST(ExactMoments, AreThoseOfTheDefinitionForValuesFarFromZero) {
    // n consecutive numbers: mean in their middle, variance n (n + 1) / 12.
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 1001; ++i) {
        values.push_back(kLargest - 1001 + i);
    }
    EXPECT_EQ(moments_of(values).mean(), static_cast<double>(kLargest - 501));
    EXPECT_DOUBLE_EQ(moments_of(values).deviation(), std::sqrt(1001.0 * 1002.0 / 12.0));
}

TEST(ExactMoments, AFirstValueFarFromTheOthersCostsNoDigits) {
    // 0, and n times 10^15 and 10^15 + 2 alternately: without the 0 the deviation would be about 1.
    std::vector<std::int64_t> values{0};
    for (int i = 0; i < 1000; ++i) {
        values.push_back(1'000'000'000'000'000 + i % 2 * 2);
    }
    const long double mean = (1000.0L * 1'000'000'000'000'000.0L + 1000.0L) / 1001.0L;
    const long double squares =
        mean * mean + 500 * (1e15L - mean) * (1e15L - mean) + 500 * (1e15L + 2 - mean) * (1e15L + 2 - mean);
    EXPECT_NEAR(moments_of(values).deviation(), static_cast<double>(std::sqrt(squares / 1000)), 1.0);
    std::reverse(values.begin(), values.end());
    EXPECT_NEAR(moments_of(values).deviation(), static_cast<double>(std::sqrt(squares / 1000)), 1.0);
}

TEST(ExactMoments, AreTheSameToTheLastBitInAnyOrderAndGrouping) {
    std::vector<std::int64_t> values = delays(5, 5000);
    values.push_back(-12);
    const ExactMoments whole = moments_of(values);
    std::mt19937 engine(11);
    for (int round = 0; round < 20; ++round) {
        std::shuffle(values.begin(), values.end(), engine);
        std::vector<ExactMoments> parts;
        for (std::size_t from = 0; from < values.size();) {
            const std::size_t size = std::min<std::size_t>(1 + engine() % 900, values.size() - from);
            parts.push_back(moments_of({values.begin() + static_cast<std::ptrdiff_t>(from),
                                        values.begin() + static_cast<std::ptrdiff_t>(from + size)}));
            from += size;
        }
        ExactMoments merged;
        for (const ExactMoments& part : parts) {
            merged.merge(part);
        }
        EXPECT_EQ(merged.count(), whole.count());
        EXPECT_EQ(merged.mean(), whole.mean());
        EXPECT_EQ(merged.deviation(), whole.deviation());
    }
}

TEST(ExactMoments, AValueManyTimesIsThatValueOneByOne) {
    ExactMoments at_once = moments_of({3, 8});
    at_once.add(100, 1000);
    at_once.add(100, 0);
    ExactMoments one_by_one = moments_of({3, 8});
    for (int i = 0; i < 1000; ++i) {
        one_by_one.add(100);
    }
    EXPECT_EQ(at_once.count(), one_by_one.count());
    EXPECT_EQ(at_once.mean(), one_by_one.mean());
    EXPECT_EQ(at_once.deviation(), one_by_one.deviation());
}

TEST(ExactMoments, OfValuesAtBothEndsAreThoseOfTheDefinition) {
    // k of n values at one end, the others at the other, 2^63 apart: mean and variance in closed form.
    const auto expected = [](double k, double n) { return 0x1p63 * std::sqrt(k * (n - k) / n / (n - 1)); };
    ExactMoments moments = moments_of({-kLargest, kLargest});
    EXPECT_EQ(moments.mean(), 0);
    EXPECT_DOUBLE_EQ(moments.deviation(), expected(1, 2));
    for (int i = 0; i < 10; ++i) {
        moments.add(kLargest);
    }
    EXPECT_DOUBLE_EQ(moments.mean(), 0x1p62 * (10.0 / 12.0));
    EXPECT_DOUBLE_EQ(moments.deviation(), expected(1, 12));
    ExactMoments many;
    many.add(-kLargest, std::uint64_t{1} << 59U);
    many.add(kLargest, std::uint64_t{1} << 60U);
    EXPECT_DOUBLE_EQ(many.mean(), 0x1p62 / 3);
    EXPECT_DOUBLE_EQ(many.deviation(), expected(0x1p59, 0x1.8p60));
}

/// Sums of squares of distances from -2^62, the first value, from just below 2^126 to far above 2^128.
TEST(ExactMoments, AreTheSameHoweverValuesComeTogetherOnBothSidesOfAWordOfSquares) {
    std::vector<std::int64_t> values{-kLargest, kLargest - 1};
    for (int more = 0; more < 8; ++more) {
        values.push_back(more % 2 == 0 ? kLargest : kLargest - (std::int64_t{1} << 40));
        const ExactMoments whole = moments_of(values);
        ExactMoments together;
        together.add(values, *std::ranges::min_element(values), *std::ranges::max_element(values));
        EXPECT_EQ(together.deviation(), whole.deviation());
        for (std::size_t place = 1; place < values.size(); ++place) {
            const auto cut = values.begin() + static_cast<std::ptrdiff_t>(place);
            for (const bool swapped : {false, true}) {
                ExactMoments first = moments_of({values.begin(), cut});
                ExactMoments second = moments_of({cut, values.end()});
                (swapped ? second : first).merge(swapped ? first : second);
                EXPECT_EQ((swapped ? second : first).deviation(), whole.deviation()) << place;
                EXPECT_EQ((swapped ? second : first).mean(), whole.mean()) << place;
            }
        }
        long double mean = 0;
        for (const std::int64_t value : values) {
            mean += static_cast<long double>(value) / static_cast<long double>(values.size());
        }
        long double squares = 0;
        for (const std::int64_t value : values) {
            squares += (static_cast<long double>(value) - mean) * (static_cast<long double>(value) - mean);
        }
        EXPECT_DOUBLE_EQ(whole.deviation(),
                         static_cast<double>(std::sqrt(squares / static_cast<long double>(values.size() - 1))));
    }
}

}  // namespace
}  // namespace groma
