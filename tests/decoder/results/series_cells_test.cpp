#include "decoder/results/series_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

namespace groma {
namespace {

using Entries = std::vector<std::pair<std::int64_t, int>>;

Entries entries_of(const SeriesCells<int>& cells) {
    Entries entries;
    cells.for_each([&](std::int64_t index, int cell) { entries.emplace_back(index, cell); });
    return entries;
}

TEST(SeriesCells, AreInOrderInWhateverOrderTheyWereMade) {
    for (const unsigned shuffled : {0U, 3U, 1000U}) {
        std::mt19937_64 engine(shuffled);
        std::vector<std::int64_t> indices;
        for (std::int64_t i = -500; i < 500; ++i) {
            indices.insert(indices.end(), 1 + engine() % 3, i * i * i);
        }
        for (std::size_t i = 0; i < indices.size(); ++i) {
            std::swap(indices[i], indices[i + engine() % std::min<std::size_t>(shuffled + 1, indices.size() - i)]);
        }
        std::map<std::int64_t, int> expected;
        SeriesCells<int> cells;
        for (const std::int64_t index : indices) {
            ++expected[index];
            ++cells[index];
        }
        EXPECT_EQ(entries_of(cells), Entries(expected.begin(), expected.end()));
    }
}

TEST(SeriesCells, StayWhereTheyAre) {
    SeriesCells<int> cells;
    int& first = cells[1'000'000];
    int& late = cells[-5];
    for (std::int64_t i = 0; i < 2'000'000; i += 10) {
        cells[i] = 1;
    }
    EXPECT_EQ(&cells[1'000'000], &first);
    EXPECT_EQ(&cells[-5], &late);
}

TEST(SeriesCells, OfNothingThereAreNone) {
    EXPECT_TRUE(entries_of(SeriesCells<int>()).empty());
}

}  // namespace
}  // namespace groma
