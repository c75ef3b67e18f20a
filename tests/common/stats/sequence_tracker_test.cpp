#include "common/stats/sequence_tracker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

namespace groma {
namespace {

using Kind = SequenceTracker::Kind;

/// The definition, word for word, with memory for every packet.
class SlowTracker {
public:
    Kind add(std::uint64_t seq) {
        if (not seen_.insert(seq).second) {
            return Kind::duplicate;
        }
        if (seq < next_expected_) {
            return Kind::reordered;
        }
        next_expected_ = seq + 1;
        return Kind::in_order;
    }

private:
    std::set<std::uint64_t> seen_;
    std::uint64_t next_expected_ = 0;
};

TEST(SequenceTracker, AgreesWithASetOfAllNumbersOverRandomLossCopiesAndDisorder) {
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        std::mt19937_64 engine(seed);
        std::vector<std::uint64_t> arrivals;
        for (std::uint64_t seq = engine() % 500; arrivals.size() < 2000; ++seq) {
            const auto copies = engine() % 10 == 0 ? 2U : engine() % 10 == 1 ? 0U : 1U;
            arrivals.insert(arrivals.end(), copies, seq);
            seq += engine() % 50 == 0 ? engine() % 150 : 0;
        }
        for (std::size_t i = 0; i + 20 < arrivals.size(); i += 1 + engine() % 30) {
            std::swap(arrivals[i], arrivals[i + engine() % 20]);
        }
        SequenceTracker tracker(2048 + 64 * seed);
        SlowTracker slow;
        for (const auto seq : arrivals) {
            ASSERT_EQ(tracker.add(seq), slow.add(seq)) << "seed " << seed << ", seq " << seq;
        }
        EXPECT_EQ(tracker.unique() + tracker.duplicates(), arrivals.size());
    }
}

TEST(SequenceTracker, CountsEachKind) {
    SequenceTracker tracker;
    for (const std::uint64_t seq : {0U, 1U, 3U, 2U, 3U, 3U, 9U}) {
        tracker.add(seq);
    }
    EXPECT_EQ(tracker.unique(), 5U);
    EXPECT_EQ(tracker.reordered(), 1U);
    EXPECT_EQ(tracker.duplicates(), 2U);
    EXPECT_EQ(tracker.beyond_window(), 0U);
    EXPECT_EQ(tracker.next_expected(), 10U);
}

TEST(SequenceTracker, LostPacketsAtTheStartAreNotReordering) {
    SequenceTracker tracker;
    EXPECT_EQ(tracker.add(1000), Kind::in_order);
    EXPECT_EQ(tracker.add(1001), Kind::in_order);
    EXPECT_EQ(tracker.reordered(), 0U);
}

TEST(SequenceTracker, APacketOlderThanTheWindowIsReorderedAndNamed) {
    SequenceTracker tracker(64);
    tracker.add(0);
    tracker.add(64);
    EXPECT_EQ(tracker.add(0), Kind::reordered);
    EXPECT_EQ(tracker.beyond_window(), 1U);
    EXPECT_EQ(tracker.duplicates(), 0U);
}

TEST(SequenceTracker, TheOldestNumberOfTheWindowIsStillKnown) {
    SequenceTracker tracker(64);
    tracker.add(1);
    tracker.add(64);
    EXPECT_EQ(tracker.add(1), Kind::duplicate);
    EXPECT_EQ(tracker.add(2), Kind::reordered);
    EXPECT_EQ(tracker.beyond_window(), 0U);
}

TEST(SequenceTracker, ALeapOverTheWholeWindowForgetsWhatWasBefore) {
    SequenceTracker tracker(128);
    for (std::uint64_t seq = 0; seq < 128; ++seq) {
        tracker.add(seq);
    }
    tracker.add(128 * 1'000'000ULL);
    EXPECT_EQ(tracker.add(128 * 1'000'000ULL - 1), Kind::reordered);
    EXPECT_EQ(tracker.duplicates(), 0U);
}

TEST(SequenceTracker, NumbersNearTheEndOfTheRangeAreTakenAsTheyAre) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max() - 1;
    SequenceTracker tracker;
    EXPECT_EQ(tracker.add(kLast), Kind::in_order);
    EXPECT_EQ(tracker.add(kLast), Kind::duplicate);
    EXPECT_EQ(tracker.add(kLast - 5), Kind::reordered);
}

}  // namespace
}  // namespace groma
