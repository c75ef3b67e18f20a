#include "decoder/analysis/sequence_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace groma {
namespace {

TEST(SequenceSet, AgreesWithAnOrdinarySet) {
    std::mt19937_64 random(1);
    SequenceSet ours;
    SequenceSet other;
    std::set<std::uint64_t> slow;
    std::set<std::uint64_t> slow_other;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t seq = random() % 10 == 0 ? random() : random() % 30'000;
        ours.add(seq);
        slow.insert(seq);
        const std::uint64_t also = random() % 3 == 0 ? random() % 30'000 : seq;
        other.add(also);
        slow_other.insert(also);
    }
    EXPECT_EQ(ours.count_beyond(SequenceSet()), slow.size());
    for (std::uint64_t seq = 0; seq < 30'000; ++seq) {
        SequenceSet one;
        one.add(seq);
        ASSERT_EQ(one.count_beyond(ours), slow.contains(seq) ? 0U : 1U) << seq;
    }
    const auto beyond = std::ranges::count_if(slow, [&](std::uint64_t seq) { return not slow_other.contains(seq); });
    EXPECT_EQ(ours.count_beyond(other), static_cast<std::uint64_t>(beyond));
}

TEST(SequenceSet, NumbersScatteredOnPurposeDoNotTakeAllMemory) {
    SequenceSet set;
    for (std::uint64_t i = 0; i < SequenceSet::kMostPages; ++i) {
        set.add(i << 40);
    }
    EXPECT_EQ(set.count_beyond(SequenceSet()), SequenceSet::kMostPages);
    set.add(std::uint64_t{SequenceSet::kMostPages} << 40);
    EXPECT_FALSE(set.complete());
    EXPECT_FALSE(set.count_beyond(SequenceSet()));
}

}  // namespace
}  // namespace groma
