#include "common/stats/sequence/reorder_density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace groma {
namespace {

using Displacements = std::map<std::int64_t, std::uint64_t>;

ReorderDensityCounts density_of(const std::vector<std::uint64_t>& arrivals, std::optional<std::uint64_t> first = 0) {
    ReorderDensity density(first);
    for (const std::uint64_t number : arrivals) {
        density.add(number);
    }
    return density.counts();
}

/// By the definition for all packets at once: the receive indexes are the numbers of all that arrived, in order.
Displacements by_definition(const std::vector<std::uint64_t>& arrivals) {
    auto indexes = arrivals;
    std::ranges::sort(indexes);
    Displacements found;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        ++found[static_cast<std::int64_t>(indexes[i] - arrivals[i])];
    }
    return found;
}

TEST(ReorderDensity, IsReceiveIndexLessNumber) {
    EXPECT_EQ(density_of({0, 3, 1, 4, 2, 5, 6, 7}).displacements,
              (Displacements{{-2, 1}, {-1, 1}, {0, 4}, {1, 1}, {2, 1}}));
}

TEST(ReorderDensity, OfPacketsInOrderIsZeroWhateverIsLost) {
    EXPECT_EQ(density_of({2, 3, 5, 9, 10}).displacements, (Displacements{{0, 5}}));
    EXPECT_EQ(density_of({7, 8, 9}, std::nullopt).displacements, (Displacements{{0, 3}}));
    EXPECT_EQ(density_of({0, 1, std::uint64_t{1} << 62}).displacements, (Displacements{{0, 3}}));
    EXPECT_TRUE(density_of({}).displacements.empty());
}

TEST(ReorderDensity, OfARunIsThatOfItsPackets) {
    ReorderDensity runs(0);
    runs.add(0, 500);
    runs.add(501, 400);
    runs.add(500);
    runs.add(901, 1000);
    EXPECT_EQ(runs.counts().displacements, (Displacements{{0, 1900}})) << "400 later is as good as lost";
    EXPECT_EQ(runs.counts().beyond, 1U);
}

TEST(ReorderDensity, IsThatOfAllPacketsWhatIsLostAndWhereverTheyAreWithinTheThreshold) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        const std::uint64_t loss = random() % 3;
        const std::int64_t farthest = 1 + static_cast<std::int64_t>(random() % 50);
        std::vector<std::pair<std::int64_t, std::uint64_t>> due;
        for (std::uint64_t number = 0, gone = 0; number < 3000; ++number) {
            gone = gone > 0 ? gone - 1 : loss > 0 and random() % (20 * loss) == 0 ? random() % 30 : 0;
            if (gone == 0) {
                const bool moved = random() % 5 == 0;
                due.emplace_back(
                    static_cast<std::int64_t>(number) + (moved ? static_cast<std::int64_t>(random()) % farthest : 0),
                    number);
            }
        }
        std::ranges::stable_sort(due, {}, &std::pair<std::int64_t, std::uint64_t>::first);
        std::vector<std::uint64_t> arrivals;
        std::ranges::transform(due, std::back_inserter(arrivals), &std::pair<std::int64_t, std::uint64_t>::second);
        const ReorderDensityCounts counts = density_of(arrivals);
        ASSERT_EQ(counts.displacements, by_definition(arrivals));
        ASSERT_EQ(counts.packets(), arrivals.size());
    }
}

TEST(ReorderDensity, PlacesOrGivesUpEveryPacketWhateverTheNumbers) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937_64 random(seed);
        std::vector<std::uint64_t> arrivals;
        const std::uint64_t within = seed % 3 == 0 ? ~std::uint64_t{0} : 1 + random() % 2000;
        for (int i = 0; i < 1500; ++i) {
            arrivals.push_back(random() % within);
        }
        const ReorderDensityCounts counts = density_of(arrivals);
        ASSERT_EQ(counts.packets() + counts.beyond, arrivals.size());
        for (const auto& [displacement, packets] : counts.displacements) {
            ASSERT_LE(std::abs(displacement), static_cast<std::int64_t>(ReorderDensity::kFarthest));
        }
    }
}

TEST(ReorderDensity, OfFlowsTogetherAddsUp) {
    ReorderDensityCounts sum = density_of({0, 2, 1});
    sum.merge(density_of({0, 1, 3, 2}));
    EXPECT_EQ(sum.displacements, (Displacements{{-1, 2}, {0, 3}, {1, 2}}));
}

}  // namespace
}  // namespace groma
