#include "common/stats/histograms/log_histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace groma {
namespace {

constexpr double kFractions[] = {0.0, 0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0};

/// Values of all magnitudes and both signs.
std::vector<std::int64_t> random_values(std::uint32_t seed, std::size_t count) {
    std::mt19937_64 engine(seed);
    std::vector<std::int64_t> values(count);
    for (auto& value : values) {
        const auto bits = engine() % 62;
        const auto magnitude = static_cast<std::int64_t>(engine() & ((std::uint64_t{2} << bits) - 1));
        value = engine() % 4 == 0 ? -magnitude : magnitude;
    }
    return values;
}

LogHistogram histogram_of(const std::vector<std::int64_t>& values) {
    LogHistogram histogram;
    for (const auto value : values) {
        histogram.add(value);
    }
    return histogram;
}

std::int64_t exact_percentile(std::vector<std::int64_t> values, double fraction) {
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(fraction * static_cast<double>(values.size())));
    return values[rank == 0 ? 0 : rank - 1];
}

TEST(LogHistogram, IsAllZeroBeforeTheFirstValue) {
    const LogHistogram histogram;
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_EQ(histogram.min(), 0);
    EXPECT_EQ(histogram.max(), 0);
    EXPECT_EQ(histogram.mean(), 0);
    EXPECT_EQ(histogram.deviation(), 0);
    EXPECT_EQ(histogram.percentile(0.5), 0);
    EXPECT_TRUE(histogram.bins().empty());
}

TEST(LogHistogram, PercentilesAreWithinOneIn128OfThoseOfTheSortedValues) {
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const auto values = random_values(seed, 1 + seed * 37);
        const auto histogram = histogram_of(values);
        for (const double fraction : kFractions) {
            const auto exact = static_cast<double>(exact_percentile(values, fraction));
            EXPECT_NEAR(static_cast<double>(histogram.percentile(fraction)), exact, std::abs(exact) / 128)
                << "seed " << seed << ", fraction " << fraction;
        }
    }
}

TEST(LogHistogram, ValuesBelow128AreExact) {
    for (std::int64_t value = -127; value <= 127; ++value) {
        LogHistogram histogram;
        histogram.add(-128);
        histogram.add(value);
        histogram.add(128);
        EXPECT_EQ(histogram.percentile(0.5), value);
    }
}

TEST(LogHistogram, MeanDeviationMinimumAndMaximumAreNotRounded) {
    const std::vector<std::int64_t> values{1'000'000'007, 1'000'000'009, 1'000'000'021, 1'000'000'033};
    const auto histogram = histogram_of(values);
    EXPECT_EQ(histogram.min(), 1'000'000'007);
    EXPECT_EQ(histogram.max(), 1'000'000'033);
    EXPECT_NEAR(histogram.mean(), 1'000'000'017.5, 1e-6);
    EXPECT_NEAR(histogram.deviation(), std::sqrt((10.5 * 10.5 + 8.5 * 8.5 + 3.5 * 3.5 + 15.5 * 15.5) / 3), 1e-6);
}

TEST(LogHistogram, MergingIsTheSameAsAddingEverythingToOne) {
    const auto first = random_values(7, 500);
    const auto second = random_values(8, 300);
    auto both = first;
    both.insert(both.end(), second.begin(), second.end());

    auto merged = histogram_of(first);
    merged.merge(histogram_of(second));
    const auto whole = histogram_of(both);

    EXPECT_EQ(merged.bins(), whole.bins());
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_EQ(merged.min(), whole.min());
    EXPECT_EQ(merged.max(), whole.max());
    EXPECT_NEAR(merged.mean(), whole.mean(), std::abs(whole.mean()) * 1e-12);
    EXPECT_NEAR(merged.deviation(), whole.deviation(), whole.deviation() * 1e-12);
}

TEST(LogHistogram, MeanAndDeviationAreTheSameToTheLastBitInAnyOrder) {
    auto values = random_values(3, 700);
    for (auto& value : values) {
        value >>= 20;
    }
    const auto forward = histogram_of(values);
    std::reverse(values.begin(), values.end());
    auto backward = histogram_of({values.begin(), values.begin() + 123});
    backward.merge(histogram_of({values.begin() + 123, values.end()}));
    EXPECT_EQ(backward.mean(), forward.mean());
    EXPECT_EQ(backward.deviation(), forward.deviation());
}

TEST(LogHistogram, TheDeviationIsExactHoweverFarApartValuesAre) {
    LogHistogram histogram;
    histogram.add(-(std::int64_t{1} << 61), 1000);
    histogram.add(std::int64_t{1} << 61, 1000);
    const double exact = std::sqrt(2000.0 / 1999.0) * static_cast<double>(std::int64_t{1} << 61);
    EXPECT_DOUBLE_EQ(histogram.deviation(), exact);
}

TEST(LogHistogram, CopiesAreIndependent) {
    LogHistogram histogram;
    histogram.add(5, 100'000);
    LogHistogram copy = histogram;
    copy.add(900);
    EXPECT_EQ(histogram.max(), 5);
    EXPECT_EQ(copy.bins().size(), 2U);
    histogram = copy;
    EXPECT_EQ(histogram.bins(), copy.bins());
}

TEST(LogHistogram, MergingAnEmptyOneChangesNothing) {
    auto histogram = histogram_of({5, -3});
    const auto before = histogram.bins();
    histogram.merge(LogHistogram{});
    EXPECT_EQ(histogram.bins(), before);
    EXPECT_EQ(histogram.min(), -3);
    EXPECT_DOUBLE_EQ(histogram.mean(), 1.0);
}

TEST(LogHistogram, AValueManyTimesIsTheSameAsItOneByOne) {
    LogHistogram once;
    once.add(12'345, 3);
    once.add(7, 2);
    const auto one_by_one = histogram_of({12'345, 12'345, 12'345, 7, 7});
    EXPECT_EQ(once.bins(), one_by_one.bins());
    EXPECT_DOUBLE_EQ(once.mean(), one_by_one.mean());
    EXPECT_DOUBLE_EQ(once.deviation(), one_by_one.deviation());
}

TEST(LogHistogram, BinsRiseDoNotOverlapAndHoldEveryValue) {
    const auto values = random_values(11, 2000);
    const auto bins = histogram_of(values).bins();
    for (std::size_t i = 0; i < bins.size(); ++i) {
        EXPECT_LE(bins[i].low, bins[i].high);
        EXPECT_TRUE(i == 0 or bins[i - 1].high < bins[i].low);
        const auto inside = std::count_if(values.begin(), values.end(), [&](std::int64_t value) {
            return bins[i].low <= value and value <= bins[i].high;
        });
        EXPECT_EQ(static_cast<std::uint64_t>(inside), bins[i].count);
    }
    const auto total = std::accumulate(bins.begin(), bins.end(), std::uint64_t{0},
                                       [](std::uint64_t sum, const auto& bin) { return sum + bin.count; });
    EXPECT_EQ(total, values.size());
}

TEST(LogHistogram, ValuesBeyondTheRangeAreClamped) {
    const auto histogram =
        histogram_of({std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(histogram.min(), -(std::int64_t{1} << 62));
    EXPECT_EQ(histogram.max(), std::int64_t{1} << 62);
    EXPECT_EQ(histogram.bins().size(), 2U);
}

TEST(LogHistogram, ReservingDoesNotCount) {
    LogHistogram histogram;
    histogram.reserve(std::int64_t{1} << 40);
    EXPECT_EQ(histogram.count(), 0U);
    EXPECT_TRUE(histogram.bins().empty());
}

TEST(LogHistogram, FewValuesAndManyHaveTheSameBins) {
    for (const std::int64_t spread : {std::int64_t{100}, std::int64_t{1'000'000}, std::int64_t{1} << 62}) {
        LogHistogram growing;
        LogHistogram merged;
        LogHistogram reserved;
        reserved.reserve(spread);
        std::uint64_t state = 1;
        for (int i = 0; i < 6000; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            const auto value = static_cast<std::int64_t>(state >> 1U) % spread - spread / 3;
            growing.add(value);
            reserved.add(value);
            LogHistogram one;
            one.add(value);
            merged.merge(one);
            if (i == 10 or i == 500 or i == 4095 or i == 4096 or i == 5999) {
                EXPECT_EQ(growing.bins(), reserved.bins()) << i;
                EXPECT_EQ(merged.bins(), reserved.bins()) << i;
                EXPECT_EQ(growing.percentile(0.9), reserved.percentile(0.9)) << i;
            }
        }
    }
}

TEST(LogHistogram, ManyOfOneValueAtOnceAreNotCutShort) {
    LogHistogram histogram;
    histogram.add(5, 4000);
    histogram.add(5, std::uint64_t{1} << 40U);
    histogram.add(7, 100'000);
    const std::vector<LogHistogram::Bin> bins{{5, 5, (std::uint64_t{1} << 40U) + 4000}, {7, 7, 100'000}};
    EXPECT_EQ(histogram.bins(), bins);
}

/// In pieces of random length, some of them one after the other with the same values.
LogHistogram histogram_of_pieces(std::span<const std::int64_t> values, std::uint32_t seed) {
    std::mt19937_64 engine(seed);
    LogHistogram histogram;
    while (not values.empty()) {
        const auto count = std::min<std::size_t>(values.size(), engine() % 700);
        histogram.add(values.first(count));
        values = values.subspan(count);
    }
    return histogram;
}

TEST(LogHistogram, ValuesTogetherAreTheSameAsOneByOne) {
    std::mt19937_64 engine(11);
    const auto within = [&](std::int64_t low, std::int64_t high, std::size_t count = 10'000) {
        std::vector<std::int64_t> values(count);
        std::ranges::generate(values, [&] { return std::uniform_int_distribution(low, high)(engine); });
        return values;
    };
    const auto some_far = [&](std::size_t each, std::int64_t far) {  // a few among many that are near one another
        auto values = within(1000, 1300, 200'000);
        for (std::size_t i = 0; i < values.size(); i += 1 + engine() % each) {
            values[i] = std::uniform_int_distribution(-far, far)(engine);
        }
        return values;
    };
    const std::vector<std::vector<std::int64_t>> cases{
        within(0, 300),
        within(100, 10'000, 200'000),
        some_far(500, std::int64_t{1} << 28),
        some_far(3, std::int64_t{1} << 28),
        some_far(200, std::int64_t{1} << 50),
        within(500, 500),
        within(-200, 200),
        within(5'000, 5'100, 300'000),
        within(-5, 5, 1'000'000),
        within(1'000'000'000'000, 1'000'000'001'000),
        within(0, std::int64_t{1} << 28),
        within(-(std::int64_t{1} << 40), 10),
        random_values(3, 10'000),
        random_values(4, 100),
        within(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()),
    };
    for (const auto& values : cases) {
        const LogHistogram one_by_one = histogram_of(values);
        const LogHistogram together = histogram_of_pieces(values, 7);
        EXPECT_EQ(together.bins(), one_by_one.bins());
        EXPECT_EQ(together.count(), one_by_one.count());
        EXPECT_EQ(together.min(), one_by_one.min());
        EXPECT_EQ(together.max(), one_by_one.max());
        EXPECT_EQ(together.mean(), one_by_one.mean());
        EXPECT_EQ(together.deviation(), one_by_one.deviation());
    }
}

TEST(LogHistogram, ABinCountsOnBeyondWhatAWordOfItsHolds) {
    constexpr std::uint64_t kNearly = (std::uint64_t{1} << 32) - 20;
    std::vector<std::int64_t> alike(30, 1000);
    alike.front() = -1000;  // not all the same, which is counted at once
    LogHistogram histogram;
    histogram.add(1000, kNearly);
    histogram.add(-1000, 5 * kNearly);
    LogHistogram one_by_one = histogram;
    LogHistogram together = histogram;
    together.add(alike);
    for (const std::int64_t value : alike) {
        one_by_one.add(value);
    }
    LogHistogram merged = histogram;
    merged.merge(together);
    EXPECT_EQ(histogram.bins().at(1).count, kNearly);
    for (const LogHistogram& each : {one_by_one, together}) {
        EXPECT_EQ(each.bins().at(0).count, 5 * kNearly + 1);
        EXPECT_EQ(each.bins().at(1).count, kNearly + 29);
        EXPECT_EQ(each.count(), 6 * kNearly + 30);
    }
    EXPECT_EQ(merged.bins().at(0).count, 10 * kNearly + 1);
    EXPECT_EQ(merged.bins().at(1).count, 2 * kNearly + 29);
}

TEST(LogHistogram, CopiesOfManyShareNothingThatAnyoneSees) {
    std::vector<std::int64_t> values = random_values(9, 100'000);
    LogHistogram first = histogram_of(values);
    const LogHistogram copy = first;
    const auto before = copy.bins();
    first.add(values);
    first.add(12345);
    first.reserve(1'000'000'000);
    EXPECT_EQ(copy.bins(), before);
    EXPECT_EQ(first.count(), 2 * copy.count() + 1);
    LogHistogram other = copy;
    other.merge(copy);
    EXPECT_EQ(copy.bins(), before);
    EXPECT_EQ(other.bins().front().count, 2 * before.front().count);
}

TEST(LogHistogram, ATrimmedMeanLeavesTheLargestValuesOut) {
    LogHistogram histogram;
    EXPECT_EQ(histogram.trimmed_mean(0.95), 0);
    histogram.add(10, 19);
    histogram.add(1'000'000, 1);
    EXPECT_EQ(histogram.trimmed_mean(0.95), 10);
    EXPECT_EQ(histogram.trimmed_mean(0.94), 10);
    EXPECT_NEAR(histogram.trimmed_mean(0.951), (190 + 1e6) / 20, 1e6 / 20 / 128);
    EXPECT_EQ(histogram.trimmed_mean(1), histogram.trimmed_mean(2));
    EXPECT_EQ(histogram.trimmed_mean(0), 0);
    histogram.add(1000, 20);
    EXPECT_NEAR(histogram.trimmed_mean(0.75), (190 + 11 * 1000) / 30.0, 1000 / 128.0);
}

}  // namespace
}  // namespace groma
