#include "common/stats/histograms/bin_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace groma {
namespace {

using Counts = std::map<std::int16_t, std::uint64_t>;

constexpr std::uint64_t kCountsOfAPlace = 65536;  // what 2 bytes tell apart

Counts counts_in(const BinTable& table) {
    Counts counts;
    std::vector<std::int16_t> order;
    table.for_each([&](std::int16_t bin, std::uint64_t count) {
        order.push_back(bin);
        counts[bin] = count;
    });
    EXPECT_TRUE(std::ranges::is_sorted(order));
    return counts;
}

/// Adds all at once; returns what there is then.
Counts counted(const std::vector<std::int16_t>& bins) {
    BinTable table;
    const auto [least, most] = std::ranges::minmax(bins);
    table.add_each(bins, least, most);
    return counts_in(table);
}

Counts counted_one_by_one(const std::vector<std::int16_t>& bins) {
    Counts counts;
    for (const std::int16_t bin : bins) {
        ++counts[bin];
    }
    return counts;
}

TEST(BinTable, CountsBeyondWhatAPlaceHolds) {
    BinTable table;
    table.add(-3, kCountsOfAPlace - 1);
    table.add(-3, 1);
    table.add(-3, 1);
    table.add(900, 5 * kCountsOfAPlace + 7);
    EXPECT_EQ(counts_in(table), (Counts{{-3, kCountsOfAPlace + 1}, {900, 5 * kCountsOfAPlace + 7}}));
}

TEST(BinTable, ABinThatIsFullOrNotCoveredIsNotCountedInPlace) {
    BinTable table;
    EXPECT_FALSE(table.count_one(5));
    table.cover(5, 5);
    EXPECT_TRUE(table.count_one(5));
    table.add(5, kCountsOfAPlace - 2);
    EXPECT_FALSE(table.count_one(5));
    EXPECT_FALSE(table.count_one(-30000));
    EXPECT_FALSE(table.count_one(30000));
    EXPECT_EQ(counts_in(table), (Counts{{5, kCountsOfAPlace - 1}}));
}

TEST(BinTable, MakingRoomKeepsTheCounts) {
    BinTable table;
    table.add(10, 3);
    table.cover(-4000, 4000);
    table.cover(0, 1);
    table.add(-4000, 1);
    table.add(4000, 2);
    EXPECT_EQ(counts_in(table), (Counts{{-4000, 1}, {10, 3}, {4000, 2}}));
}

// Bins that are close to one another, many of which some are far away, and few that are far apart take ways of their
// own.
TEST(BinTable, CountsTheSameWhateverLiesHowFarApart) {
    std::mt19937 random(3);
    std::vector<std::int16_t> close(5000);
    for (std::int16_t& bin : close) {
        bin = static_cast<std::int16_t>(100 + random() % 40);
    }
    EXPECT_EQ(counted(close), counted_one_by_one(close));
    std::vector<std::int16_t> with_outliers = close;
    with_outliers.insert(with_outliers.begin() + 1000, {-7000, 7000, -7000});
    EXPECT_EQ(counted(with_outliers), counted_one_by_one(with_outliers));
    const std::vector<std::int16_t> few{-7000, 5, 7000, 5, 5};
    EXPECT_EQ(counted(few), counted_one_by_one(few));
}

TEST(BinTable, MergingCarriesWhatDoesNotFitAPlace) {
    BinTable one;
    one.add(20, kCountsOfAPlace - 1);
    one.add(21, 2 * kCountsOfAPlace);
    BinTable other;
    other.add(20, kCountsOfAPlace - 1);
    other.add(-500, 4);
    one.merge(other);
    one.merge(BinTable());
    EXPECT_EQ(counts_in(one), (Counts{{-500, 4}, {20, 2 * kCountsOfAPlace - 2}, {21, 2 * kCountsOfAPlace}}));
    BinTable empty;
    empty.merge(one);
    EXPECT_EQ(counts_in(empty), counts_in(one));
}

TEST(BinCounts, TellHowManyLieOutsideOfTheRange) {
    BinCounts counts;
    const std::vector<std::int16_t> bins{-1, 0, 0, 5, 1023, 1024};
    const auto within = counts.within(bins, 0);
    ASSERT_EQ(within.size(), BinCounts::kWidest);
    EXPECT_EQ(within[0], 2);
    EXPECT_EQ(within[5], 1);
    EXPECT_EQ(within[1023], 1);
    EXPECT_EQ(within[1], 0);
    EXPECT_EQ(counts.left_out(), 2U);
}

}  // namespace
}  // namespace groma
