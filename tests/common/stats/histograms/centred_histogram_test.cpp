#include "common/stats/histograms/centred_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace groma {
namespace {

std::vector<std::int64_t> varying(std::size_t count, std::int64_t around, std::int64_t by) {
    std::mt19937_64 engine(count);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(around + static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(by)));
    }
    return values;
}

CentredHistogram collected(const std::vector<std::int64_t>& values) {
    CentredHistogram histogram;
    for (const auto value : values) {
        histogram.add(value);
    }
    return histogram;
}

std::int64_t exact_percentile(std::vector<std::int64_t> values, double fraction) {
    std::ranges::sort(values);
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

TEST(CentredHistogram, ResolvesTheVariationOfALargeValue) {
    for (const std::int64_t sign : {1, -1}) {
        for (const std::size_t count : {1U, 2U, 63U, 64U, 65U, 5000U}) {
            const auto values = varying(count, sign * 30'000'000, 20'000);
            const CentredHistogram histogram = collected(values);
            const auto around = histogram.around();
            const std::int64_t smallest = std::ranges::min(values);
            ASSERT_EQ(histogram.count(), count);
            EXPECT_EQ(histogram.min(), smallest);
            EXPECT_EQ(around.histogram.max() + around.base, std::ranges::max(values));
            for (const double fraction : {0.1, 0.5, 0.9, 0.99, 0.999}) {
                const std::int64_t exact = exact_percentile(values, fraction);
                const std::int64_t found = around.histogram.percentile(fraction) + around.base;
                // 1/128 of what it is above the smallest of the first 64, which all are above nearly as much.
                EXPECT_NEAR(static_cast<double>(found), static_cast<double>(exact),
                            static_cast<double>(exact - smallest) / 128 + 1)
                    << count << ", " << fraction;
            }
        }
    }
}

TEST(CentredHistogram, AnOutlierThatComesFirstDoesNotSpoilTheRest) {
    auto values = varying(5000, 30'000'000, 20'000);
    values.front() = 500'000'000;
    const auto around = collected(values).around();
    const double exact = static_cast<double>(exact_percentile(values, 0.5));
    EXPECT_NEAR(static_cast<double>(around.histogram.percentile(0.5) + around.base), exact, 20'000.0 / 128);
    EXPECT_EQ(around.histogram.max() + around.base, 500'000'000);
}

TEST(CentredHistogram, OfNothingIsNothing) {
    EXPECT_EQ(CentredHistogram().count(), 0U);
    EXPECT_EQ(CentredHistogram().min(), 0);
    EXPECT_EQ(CentredHistogram().around().histogram.count(), 0U);
}

TEST(CentredHistogram, ValuesFarApartAreHeld) {
    CentredHistogram histogram;
    histogram.add(-(std::int64_t{1} << 61));
    for (int i = 0; i < 100; ++i) {
        histogram.add(std::int64_t{1} << 61);
    }
    const auto around = histogram.around();
    EXPECT_EQ(histogram.min(), -(std::int64_t{1} << 61));
    EXPECT_EQ(around.histogram.max() + around.base, std::int64_t{1} << 61);
}

}  // namespace
}  // namespace groma
