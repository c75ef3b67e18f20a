#include "common/stats/sequence/sequence_tracker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "common/stats/sequence/loss_pattern.hpp"

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

/// The definition with a window: what lies behind it counts as reordered.
class SlowWindow {
public:
    explicit SlowWindow(std::uint64_t window) : window_(window) {}

    Kind add(std::uint64_t seq) {
        if (seq < next_expected_ and next_expected_ - seq > window_) {
            return Kind::reordered;
        }
        return slow(seq);
    }

private:
    Kind slow(std::uint64_t seq) {
        const Kind kind = not seen_.insert(seq).second ? Kind::duplicate
                          : seq < next_expected_       ? Kind::reordered
                                                       : Kind::in_order;
        next_expected_ = std::max(next_expected_, seq + 1);
        return kind;
    }

    std::uint64_t window_;
    std::set<std::uint64_t> seen_;
    std::uint64_t next_expected_ = 0;
};

TEST(SequenceTracker, AgreesWithTheDefinitionWhereDisorderReachesBeyondTheWindow) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 engine(seed);
        const std::uint64_t window = 64 * (1 + seed % 20);
        SequenceTracker tracker(window);
        SlowWindow slow(window);
        std::uint64_t next = engine() % 300;
        for (int i = 0; i < 5000; ++i) {
            const std::uint64_t dice = engine() % 100;
            std::uint64_t seq = next++;
            if (dice < 3) {
                next += engine() % (3 * window);
            } else if (dice < 20) {
                seq -= std::min(seq, engine() % (2 * window));
            } else if (dice < 40) {
                seq -= std::min<std::uint64_t>(seq, engine() % 8);
            }
            ASSERT_EQ(tracker.add(seq), slow.add(seq)) << "seed " << seed << ", packet " << i << ", seq " << seq;
        }
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

TEST(SequenceTracker, PacketsInOrderTakeNoMemory) {
    SequenceTracker tracker;
    for (std::uint64_t seq = 0; seq < 100'000; ++seq) {
        ASSERT_EQ(tracker.add(seq), Kind::in_order);
    }
    EXPECT_EQ(tracker.memory(), 0U);
    EXPECT_EQ(tracker.add(99'999), Kind::duplicate);
    EXPECT_EQ(tracker.add(100'000 - 65'536), Kind::duplicate) << "the oldest number of the window";
    EXPECT_EQ(tracker.add(100'000 - 65'537), Kind::reordered) << "nobody can say";
    EXPECT_EQ(tracker.beyond_window(), 1U);
}

TEST(SequenceTracker, MemoryGrowsWithWhatCameSinceTheOldestThatIsMissingAndNoFurtherThanTheWindow) {
    SequenceTracker tracker;
    std::size_t most = 0;
    for (std::uint64_t seq = 1; seq < 500'000; ++seq) {  // 0 is missing
        ASSERT_EQ(tracker.add(seq), Kind::in_order);
        if (seq == 500) {
            EXPECT_EQ(tracker.memory(), 64U);
        }
        most = std::max(most, tracker.memory());
    }
    EXPECT_LE(most, 65'536 / 8 + 8U);
    EXPECT_EQ(tracker.add(499'998), Kind::duplicate);
}

TEST(SequenceTracker, AWholeWindowWithoutLossEndsTheCareForTheLossBefore) {
    SequenceTracker tracker(128);
    for (std::uint64_t seq = 1; seq < 1000; ++seq) {  // 0 is missing
        ASSERT_EQ(tracker.add(seq), Kind::in_order);
    }
    EXPECT_EQ(tracker.add(999 - 127), Kind::duplicate);
    EXPECT_EQ(tracker.add(1002), Kind::in_order);
    EXPECT_EQ(tracker.add(1001), Kind::reordered);
    EXPECT_EQ(tracker.add(1000), Kind::reordered);
    EXPECT_EQ(tracker.add(1001), Kind::duplicate);
    EXPECT_EQ(tracker.unique(), 1002U);
}

TEST(SequenceTracker, NumbersNearTheEndOfTheRangeAreTakenAsTheyAre) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max() - 1;
    SequenceTracker tracker;
    EXPECT_EQ(tracker.add(kLast), Kind::in_order);
    EXPECT_EQ(tracker.add(kLast), Kind::duplicate);
    EXPECT_EQ(tracker.add(kLast - 5), Kind::reordered);
}

TEST(SequenceTracker, TheLastNumbersOfTheRangeCanAllHaveBeenSeen) {
    constexpr std::uint64_t kLast = std::numeric_limits<std::uint64_t>::max() - 1;
    constexpr std::uint64_t kCount = 200;
    SequenceTracker tracker(64);
    for (std::uint64_t i = kCount; i > 0; --i) {
        EXPECT_EQ(tracker.add(kLast - i + 1), Kind::in_order);
    }
    EXPECT_EQ(tracker.unique(), kCount);
    EXPECT_EQ(tracker.next_expected(), kLast + 1);
    EXPECT_EQ(tracker.add(kLast), Kind::duplicate);
}

TEST(SequenceTracker, RunsInOrderAreTheSameAsNumberByNumber) {
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 engine(seed);
        const std::uint64_t window = 64 * (1 + engine() % 20);
        BasicSequenceTracker<LossPattern> one_by_one(window);
        BasicSequenceTracker<LossPattern> together(window);
        for (int step = 0; step < 300; ++step) {
            if (engine() % 3 == 0) {  // a late one, or a copy
                const std::uint64_t seq = together.next_expected() - std::min(together.next_expected(), engine() % 200);
                ASSERT_EQ(together.add(seq), one_by_one.add(seq));
                continue;
            }
            const std::uint64_t first = together.next_expected() + (engine() % 2 == 0 ? 0 : engine() % 100);
            const std::uint64_t count = 1 + engine() % (engine() % 10 == 0 ? 3000 : 100);
            together.add_in_order(first, count);
            for (std::uint64_t seq = first; seq < first + count; ++seq) {
                ASSERT_EQ(one_by_one.add(seq), Kind::in_order);
            }
            ASSERT_EQ(together.next_expected(), one_by_one.next_expected());
        }
        together.finish();
        one_by_one.finish();
        EXPECT_EQ(together.unique(), one_by_one.unique());
        EXPECT_EQ(together.duplicates(), one_by_one.duplicates());
        EXPECT_EQ(together.beyond_window(), one_by_one.beyond_window());
        const auto losses = [](const auto& tracker) { return tracker.observer().counts(tracker.next_expected()); };
        EXPECT_EQ(losses(together).lost, losses(one_by_one).lost);
        EXPECT_EQ(losses(together).periods.bins(), losses(one_by_one).periods.bins());
        EXPECT_EQ(losses(together).distances.bins(), losses(one_by_one).distances.bins());
    }
}

TEST(SequenceTracker, JumpsOverTheWindowLoseWhatIsBetween) {
    constexpr std::uint64_t kJumps = 2000;
    for (const std::uint64_t step : {60'000ULL, 65'536ULL, 65'537ULL, 70'000ULL, 900'000'000'000'000ULL}) {
        BasicSequenceTracker<LossPattern> tracker;
        for (std::uint64_t i = 0; i < kJumps; ++i) {
            ASSERT_EQ(tracker.add(i * step), Kind::in_order);
        }
        tracker.finish();
        const LossPatternCounts losses = tracker.observer().counts(tracker.next_expected());
        EXPECT_EQ(losses.lost, (kJumps - 1) * (step - 1));
        EXPECT_EQ(losses.periods.count(), kJumps - 1);
        EXPECT_EQ(losses.periods.min(), losses.periods.max());
    }
}

TEST(SequenceTracker, LossesAreThoseOfTheNumbersThatNeverCame) {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        std::mt19937_64 engine(seed);
        const std::uint64_t window = 64 * (1 + engine() % 20);
        BasicSequenceTracker<LossPattern> tracker(window);
        std::set<std::uint64_t> seen;
        std::uint64_t next = engine() % 300;
        for (int i = 0; i < 500; ++i) {
            std::uint64_t seq = next;
            if (engine() % 3 == 0) {
                seq -= std::min(seq, engine() % window);  // a late one, within the window
            } else {
                next += 1 + (engine() % 5 == 0 ? engine() % (3 * window) : 0);
            }
            tracker.add(seq);
            seen.insert(seq);
        }
        tracker.finish();
        LossPattern slow;
        std::uint64_t expected = 0;
        for (const std::uint64_t seq : seen) {
            slow.lost(expected, seq - expected);
            expected = seq + 1;
        }
        const auto found = tracker.observer().counts(expected);
        const auto wanted = slow.counts(expected);
        ASSERT_EQ(tracker.next_expected(), expected);
        EXPECT_EQ(found.lost, wanted.lost) << seed;
        EXPECT_EQ(found.periods.bins(), wanted.periods.bins()) << seed;
        EXPECT_EQ(found.distances.bins(), wanted.distances.bins()) << seed;
    }
}

TEST(SequenceTracker, CanTakeOldOnesForCopies) {
    SequenceTracker tracker(64);
    tracker.take_old_ones_for_copies();
    tracker.add_in_order(0, 100);
    EXPECT_EQ(tracker.add(3), SequenceKind::duplicate) << "it may have been seen";
    EXPECT_EQ(tracker.add(200), SequenceKind::in_order);
    EXPECT_EQ(tracker.add(150), SequenceKind::reordered) << "within the window";
    EXPECT_EQ(tracker.add(110), SequenceKind::duplicate);
    EXPECT_EQ(tracker.duplicates(), 2U);
    EXPECT_EQ(tracker.beyond_window(), 2U);
    EXPECT_EQ(tracker.unique(), 102U);
}

}  // namespace
}  // namespace groma
