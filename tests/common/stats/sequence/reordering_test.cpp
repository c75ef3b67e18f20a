#include "common/stats/sequence/reordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace groma {
namespace {

/// RFC 4737 word for word, with memory for every packet.
struct SlowReordering {
    std::map<std::int64_t, std::uint64_t> extents;
    std::map<std::int64_t, std::uint64_t> free_runs;
    std::uint64_t reordered = 0;
    std::vector<std::uint64_t> n_reordered = std::vector<std::uint64_t>(ReorderingCounts::kMostN + 1);

    explicit SlowReordering(const std::vector<std::uint64_t>& s) {
        std::uint64_t next_expected = 0;
        std::int64_t run = 0;
        const auto end_run = [&] {
            free_runs[run] += run > 0 ? 1 : 0;
            run = 0;
        };
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (s[i] >= next_expected) {
                next_expected = s[i] + 1;
                ++run;
                continue;
            }
            ++reordered;
            end_run();
            const auto earliest = std::find_if(s.begin(), s.end(), [&](auto other) { return other > s[i]; });
            ++extents[static_cast<std::int64_t>(i) - (earliest - s.begin())];
            for (std::size_t n = 1; n < n_reordered.size() and n <= i; ++n) {
                bool all = true;
                for (std::size_t j = i - n; j < i; ++j) {
                    all = all and s[j] > s[i];
                }
                n_reordered[n] += all ? 1 : 0;
            }
        }
        end_run();
        free_runs.erase(0);
    }
};

std::map<std::int64_t, std::uint64_t> values_of(const LogHistogram& values) {
    std::map<std::int64_t, std::uint64_t> counts;
    for (const auto& bin : values.bins()) {
        counts[bin.low] = bin.count;
    }
    return counts;
}

ReorderingMeter metered(const std::vector<std::uint64_t>& arrivals) {
    ReorderingMeter meter;
    std::uint64_t next_expected = 0;
    for (const auto seq : arrivals) {
        if (seq >= next_expected) {
            meter.add_in_order(seq);
            next_expected = seq + 1;
        } else {
            meter.add_late(seq);
        }
    }
    return meter;
}

void expect_as_defined(const std::vector<std::uint64_t>& arrivals) {
    const SlowReordering slow(arrivals);
    const ReorderingCounts counts = metered(arrivals).counts();
    ASSERT_EQ(counts.beyond, 0U);
    EXPECT_EQ(counts.extents.count(), slow.reordered);
    EXPECT_EQ(values_of(counts.extents), slow.extents);
    EXPECT_EQ(values_of(counts.free_runs), slow.free_runs);
    for (std::size_t n = 1; n <= ReorderingCounts::kMostN; ++n) {
        ASSERT_EQ(counts.n_reordered(n), slow.n_reordered[n]) << n;
    }
}

/// Numbers with holes, each moved to another place.
std::vector<std::uint64_t> disordered(std::uint32_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> due;
    std::uint64_t seq = engine() % 100;
    const std::uint64_t reach = 1 + engine() % 120;
    const std::uint64_t often = 1 + engine() % 40;
    for (std::size_t i = 0; i < 1000; ++i) {
        seq += 1 + (engine() % 10 == 0 ? engine() % 4 : 0);
        due.emplace_back(2 * i + (engine() % often == 0 ? 2 * (engine() % reach) + 1 : 0), seq);
    }
    std::ranges::stable_sort(due, {}, &std::pair<std::uint64_t, std::uint64_t>::first);
    std::vector<std::uint64_t> arrivals;
    for (const auto& [when, number] : due) {
        arrivals.push_back(number);
    }
    return arrivals;
}

TEST(Reordering, ExtentAndNAreThoseOfTheDefinition) {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        expect_as_defined(disordered(seed));
    }
}

TEST(Reordering, OnePacketOvertakenByFourHasExtentFourAndIsFourReordered) {
    const std::vector<std::uint64_t> arrivals{0, 1, 3, 4, 5, 6, 2, 7};
    expect_as_defined(arrivals);
    const ReorderingCounts counts = metered(arrivals).counts();
    EXPECT_EQ(counts.extents.max(), 4);
    EXPECT_EQ(counts.n_reordered(3), 1U);
    EXPECT_EQ(counts.n_reordered(4), 1U);
    EXPECT_EQ(counts.n_reordered(5), 0U);
}

TEST(Reordering, ABlockThatComesLateIsReorderedPacketByPacketButOnlyItsFirstIsNReordered) {
    const std::vector<std::uint64_t> arrivals{0, 4, 5, 6, 1, 2, 3, 7};
    expect_as_defined(arrivals);
    const ReorderingCounts counts = metered(arrivals).counts();
    EXPECT_EQ(counts.extents.count(), 3U);
    EXPECT_EQ(counts.extents.max(), 5);
    EXPECT_EQ(counts.n_reordered(3), 1U);
    EXPECT_EQ(counts.largest_n[0], 2U);
}

TEST(Reordering, TheLargestNThatIsToldApartIsAnEnd) {
    for (const std::uint64_t overtaking : {127U, 128U, 129U, 500U}) {
        std::vector<std::uint64_t> arrivals(overtaking);
        std::iota(arrivals.begin(), arrivals.end(), 1U);
        arrivals.push_back(0);
        const ReorderingCounts counts = metered(arrivals).counts();
        EXPECT_EQ(counts.n_reordered(127), 1U);
        EXPECT_EQ(counts.n_reordered(128), overtaking >= 128 ? 1U : 0U);
    }
}

TEST(Reordering, PacketsInOrderTakeNoMemory) {
    ReorderingMeter meter;
    for (std::uint64_t seq = 0; seq < 100'000; ++seq) {
        meter.add_in_order(seq);
    }
    EXPECT_EQ(meter.memory(), 0U);
    EXPECT_EQ(meter.counts().extents.count(), 0U);
}

TEST(Reordering, AnExtentThatReachesBeyondWhatIsRememberedIsCountedAndNotGuessed) {
    ReorderingMeter meter;
    std::uint64_t seq = 1;
    for (std::size_t run = 0; run < 2 * ReorderingMeter::kMostRuns; ++run, seq += 2) {
        meter.add_in_order(seq);  // every other number is missing: each packet is a run
    }
    meter.add_late(0);
    EXPECT_EQ(meter.counts().beyond, 1U);
    EXPECT_EQ(meter.counts().extents.count(), 0U);
    EXPECT_EQ(meter.counts().n_reordered(ReorderingCounts::kMostN), 1U) << "that is known all the same";
    meter.add_late(seq - 3);
    EXPECT_EQ(meter.counts().extents.count(), 1U);
    EXPECT_EQ(meter.counts().extents.max(), 2) << "the latest in order, then 0, then this one";
}

TEST(Reordering, OfFlowsTogetherAddsUp) {
    ReorderingCounts sum = metered({0, 2, 3, 1}).counts();
    sum.merge(metered({5, 4}).counts());
    EXPECT_EQ(sum.extents.count(), 2U);
    EXPECT_EQ(sum.n_reordered(1), 2U);
    EXPECT_EQ(sum.n_reordered(2), 1U);
}

}  // namespace
}  // namespace groma
