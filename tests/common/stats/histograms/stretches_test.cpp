#include "common/stats/histograms/stretches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "common/stats/histograms/log_bins.hpp"

namespace groma {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Of all magnitudes below 2^bits, and both signs.
std::vector<std::int64_t> random_values(std::mt19937_64& engine, std::size_t count, unsigned bits) {
    std::vector<std::int64_t> values(count);
    for (auto& value : values) {
        const auto magnitude = static_cast<std::int64_t>(engine() >> (64 - bits) >> (engine() % bits));
        value = engine() % 2 == 0 ? magnitude : -magnitude;
    }
    return values;
}

TEST(Stretches, BinsAreThoseOfEachValue) {
    std::mt19937_64 engine(1);
    std::vector<std::int64_t> values = random_values(engine, 100'000, 31);
    for (int bit = 0; bit < 31; ++bit) {  // where bins begin and end, and where floats would be rounded up
        for (std::int64_t beside = -2; beside <= 2; ++beside) {
            values.push_back(std::max<std::int64_t>((std::int64_t{1} << bit) + beside, 0));
            values.push_back(-values.back());
        }
    }
    values.insert(values.end(), {kNear - 1, 1 - kNear, 0x7fff'ffffLL >> 1, 0xff'ffff, 0x1ff'ffff, 255, 256, 257});
    std::vector<std::int16_t> bins(values.size());
    near_bins_of(values, bins);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto index = static_cast<int>(log_bin(static_cast<std::uint64_t>(std::abs(values[i]))));
        ASSERT_EQ(bins[i], values[i] < 0 ? -1 - index : index) << values[i];
    }
}

TEST(Stretches, SumsOfNearValuesAreExact) {
    std::mt19937_64 engine(2);
    for (const std::int64_t base : {std::int64_t{0}, kNear - 1, std::int64_t{1'700'000'000'000'000'000}}) {
        std::vector<std::int64_t> values = random_values(engine, 5'003, 31);
        values.insert(values.end(), 3000, kNear - 1);
        values.insert(values.end(), 100, 1 - kNear);
        for (auto& value : values) {
            value += base;
        }
        Int128 sum = 0;
        UInt128 squares = 0;
        for (const std::int64_t value : values) {
            const Int128 above = static_cast<Int128>(value) - base;
            sum += above;
            squares += static_cast<UInt128>(above * above);
        }
        const NearSums near = near_sums_of(values, base);
        EXPECT_TRUE(near.sum == sum);
        EXPECT_TRUE(near.squares == squares);
    }
    EXPECT_TRUE(near_sums_of({}, 5).squares == 0);
}

TEST(Stretches, SumsOfAnyValuesAreExact) {
    std::vector<std::int64_t> values(1001, kLeast);
    values.insert(values.end(), 500, kMost);
    values.push_back(-1);
    Int128 sum = 0;
    for (const std::int64_t value : values) {
        sum += value;
    }
    EXPECT_TRUE(sum_of(values) == sum);
    EXPECT_TRUE(sum_of({}) == 0);
}

TEST(Stretches, TheExtentIsOfTheSmallestToTheLargestValue) {
    std::mt19937_64 engine(3);
    for (std::size_t count = 1; count < 70; ++count) {
        const auto values = random_values(engine, count, 63);
        const auto [least, most] = extent_of(values);
        EXPECT_EQ(least, std::ranges::min(values));
        EXPECT_EQ(most, std::ranges::max(values));
    }
}

TEST(Stretches, DifferencesAreOfNeighbours) {
    const std::vector<std::int64_t> values{5, 3, 10, kMost, kLeast};
    std::vector<std::int64_t> differences(values.size());
    differences_of(values, 7, differences);
    EXPECT_EQ(differences, (std::vector<std::int64_t>{-2, -2, 7, kMost - 10, 1}));
    lower_all(values, 3, differences);
    EXPECT_EQ(differences, (std::vector<std::int64_t>{2, 0, 7, kMost - 3, kMost - 2}));
    differences.assign({-3, 0, 3, -kMost});
    take_magnitudes(differences);
    EXPECT_EQ(differences, (std::vector<std::int64_t>{3, 0, 3, kMost}));
}

TEST(Stretches, DifferencesBetweenColumnsAreLessAnOffset) {
    const std::vector<std::int64_t> later{10, 20, kLeast};
    const std::vector<std::int64_t> earlier{3, 30, 1};
    std::vector<std::int64_t> differences(later.size());
    differences_between(later, earlier, 2, differences);
    EXPECT_EQ(differences, (std::vector<std::int64_t>{5, -12, kMost - 2}));
}

TEST(Stretches, NeighboursAndEqualsAreCountedUpToTheFirstThatIsNone) {
    for (std::size_t count = 1; count < 40; ++count) {
        for (std::size_t other = 1; other <= count; ++other) {
            std::vector<std::uint64_t> rising(count);
            std::iota(rising.begin(), rising.end(), std::uint64_t{0} - 5);  // through 2^64
            std::vector<std::uint64_t> equal(count, 7);
            if (other < count) {
                rising[other] += 1;
                equal[other] = 8;
            }
            EXPECT_EQ(neighbours_at_front(rising), other);
            EXPECT_EQ(equals_at_front(equal), other);
        }
    }
}

TEST(Stretches, CountsThoseThatAreNoMoreThanALimit) {
    std::mt19937_64 engine(4);
    const auto values = random_values(engine, 1001, 10);
    for (const std::int64_t limit : {-2000, -3, 0, 5, 2000}) {
        EXPECT_EQ(count_up_to(values, limit),
                  std::ranges::count_if(values, [&](std::int64_t value) { return value <= limit; }));
    }
}

}  // namespace
}  // namespace groma
