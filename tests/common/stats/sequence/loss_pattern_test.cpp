#include "common/stats/sequence/loss_pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "common/stats/sequence/sequence_tracker.hpp"

namespace groma {
namespace {

using Counts = std::map<std::int64_t, std::uint64_t>;

Counts counts_of(const LogHistogram& histogram) {
    Counts counts;
    for (const auto& bin : histogram.bins()) {
        EXPECT_EQ(bin.low, bin.high) << "the tests keep to values that have a bin of their own";
        counts[bin.low] += bin.count;
    }
    return counts;
}

/// Of packets that are lost by a chain of two states.
LossPatternCounts lost_by_a_chain(double p, double r, int packets, std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    bool bad = unit(random) < p / (p + r);
    LossPattern pattern;
    for (int seq = 0; seq < packets; ++seq) {
        if (bad) {
            pattern.lost(static_cast<std::uint64_t>(seq), 1);
        }
        bad = bad ? unit(random) >= r : unit(random) < p;
    }
    return pattern.counts(static_cast<std::uint64_t>(packets));
}

/// Of 2000 runs of a Gilbert channel.
struct LossIntervals {
    double lossless = 0;        ///< share of the runs without any loss
    double lossless_known = 0;  ///< of those, the share that has an interval
    double known = 0;           ///< share of the other runs that have one
    double covered = 0;         ///< of those, the share whose interval contains the channel's share of losses
};

LossIntervals intervals_of(double share, double mean_burst, int packets) {
    constexpr int kRuns = 2000;
    const double r = 1 / mean_burst;
    const double p = r * share / (1 - share);
    std::mt19937_64 random(5);
    std::array<double, 2> runs{};
    std::array<double, 2> known{};
    std::array<double, 2> covered{};
    for (int run = 0; run < kRuns; ++run) {
        const LossPatternCounts counts = lost_by_a_chain(p, r, packets, random);
        const std::size_t kind = counts.lost == 0 ? 0 : 1;
        const auto interval = counts.interval();
        ++runs[kind];
        known[kind] += interval ? 1 : 0;
        covered[kind] += interval and interval->low <= share and share <= interval->high ? 1 : 0;
    }
    const auto ratio = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
    return {runs[0] / kRuns, ratio(known[0], runs[0]), ratio(known[1], runs[1]), ratio(covered[1], known[1])};
}

TEST(LossInterval, CoversTheShareLostWhetherLossesAreIndependentOrComeTogether) {
    // At least 48 loss periods are expected.
    for (const auto& [share, burst] :
         {std::pair(0.02, 1 / 0.98), std::pair(1 / 31.0, 10 / 3.0), std::pair(1 / 3.0, 10.0)}) {
        const LossIntervals runs = intervals_of(share, burst, 5000);
        EXPECT_EQ(runs.known, 1) << share << ", " << burst;
        EXPECT_NEAR(runs.covered, 0.95, 0.02) << share << ", " << burst;
    }
}

TEST(LossInterval, OfTenExpectedLossPeriodsIsUnknownInHalfOfTheRunsAndCoversInTheOthers) {
    for (const auto& [share, burst, packets] :
         {std::tuple(0.01, 10.0, 10000), std::tuple(0.02, 10.0, 5000), std::tuple(0.01, 1 / 0.99, 1000)}) {
        const LossIntervals runs = intervals_of(share, burst, packets);
        EXPECT_NEAR(runs.known, 0.54, 0.05) << share << ", " << burst;
        EXPECT_GE(runs.covered, 0.92) << share << ", " << burst;
        EXPECT_LE(runs.covered, 0.98) << share << ", " << burst;
    }
}

TEST(LossInterval, OfFewerIsRarelyKnownAndThenOfRunsThatHadMoreLossPeriodsThanUsual) {
    const LossIntervals seven = intervals_of(0.01, 10, 7000);
    EXPECT_NEAR(seven.known, 0.17, 0.04);
    EXPECT_NEAR(seven.covered, 0.87, 0.05);
    const LossIntervals five = intervals_of(0.01, 10, 5000);
    EXPECT_NEAR(five.known, 0.03, 0.02);
    EXPECT_LE(five.known * (1 - five.covered), 0.05) << "known and wrong";
}

TEST(LossInterval, OfOneExpectedLossPeriodOrLessIsUnknownWithALossAndWithout) {
    const LossIntervals half = intervals_of(0.001, 10, 5000);
    EXPECT_EQ(half.known, 0);
    EXPECT_NEAR(half.lossless, 0.6, 0.04);
    EXPECT_EQ(half.lossless_known, 0) << "that of independent losses would contain the share in none of them";
    const LossIntervals one = intervals_of(0.01, 10, 1000);
    EXPECT_EQ(one.known, 0);
    EXPECT_NEAR(one.lossless, 0.35, 0.04);
    EXPECT_EQ(one.lossless_known, 0) << "likewise";
}

/// Of as many loss periods of two packets, with five that arrived before and after each.
LossPatternCounts of_loss_periods(std::uint64_t periods) {
    LossPattern pattern;
    for (std::uint64_t i = 0; i < periods; ++i) {
        pattern.lost(7 * i + 5, 2);
    }
    return pattern.counts(7 * periods + 5);
}

TEST(LossInterval, AndTheErrorsOfGilbertsModelAreKnownFromTenLossPeriodsOn) {
    const LossPatternCounts nine = of_loss_periods(9);
    EXPECT_EQ(nine.good_periods(), 10U);
    EXPECT_FALSE(nine.interval());
    EXPECT_DOUBLE_EQ(nine.gilbert_p()->value, 9 / 49.0);
    EXPECT_FALSE(nine.gilbert_p()->error);
    EXPECT_FALSE(nine.gilbert_r()->error);
    const LossPatternCounts ten = of_loss_periods(10);
    EXPECT_EQ(ten.good_periods(), 11U);
    EXPECT_TRUE(ten.interval());
    EXPECT_TRUE(ten.gilbert_p()->error);
    EXPECT_TRUE(ten.gilbert_r()->error);
}

TEST(LossInterval, IsUnknownOfFewRunsOfPacketsThatArrived) {
    LossPattern pattern;
    for (std::uint64_t i = 0; i < 10; ++i) {  // the first and the last packet are lost
        pattern.lost(10 * i, 9);
    }
    EXPECT_EQ(pattern.counts(99).good_periods(), 9U);
    EXPECT_FALSE(pattern.counts(99).interval());
    EXPECT_EQ(pattern.counts(100).good_periods(), 10U);
    EXPECT_TRUE(pattern.counts(100).interval());
}

TEST(GilbertChance, IsUniformForAGilbertChannel) {
    std::mt19937_64 random(3);
    std::array<int, 2> below{};
    for (int run = 0; run < 2000; ++run) {
        const double chance = lost_by_a_chain(0.02, 0.3, 20000, random).gilbert_chance().value();
        below[0] += chance < 0.05 ? 1 : 0;
        below[1] += chance < 0.5 ? 1 : 0;
    }
    EXPECT_NEAR(below[0] / 2000.0, 0.05, 0.02);
    EXPECT_NEAR(below[1] / 2000.0, 0.5, 0.05);
}

TEST(GilbertChance, IsSmallWhereLossesComeInPhases) {
    // A Gilbert-Elliott channel: half of the packets are lost while it is bad, none while it is good.
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> unit(0, 1);
    LossPattern pattern;
    bool bad = false;
    for (std::uint64_t seq = 0; seq < 20000; ++seq) {
        bad = bad ? unit(random) >= 0.1 : unit(random) < 0.005;
        if (bad and unit(random) < 0.5) {
            pattern.lost(seq, 1);
        }
    }
    EXPECT_LT(pattern.counts(20000).gilbert_chance().value(), 1e-6);
}

TEST(GilbertChance, IsUnknownOfFewLosses) {
    LossPattern pattern;
    EXPECT_FALSE(pattern.counts(1000).gilbert_chance());
    pattern.lost(5, 3);
    EXPECT_FALSE(pattern.counts(1000).gilbert_chance());
    EXPECT_FALSE(LossPatternCounts().gilbert_chance());
}

TEST(GilbertChance, OfIndependentLossesIsThatOfTheRunsOfReceivedPackets) {
    LossPattern pattern;
    for (const std::uint64_t seq : {10U, 20U, 30U, 40U, 50U, 60U, 70U}) {  // never after a single one that arrived
        pattern.lost(seq, 1);
    }
    EXPECT_FALSE(pattern.counts(100).gilbert_chance()) << "less than one is expected";
    std::mt19937_64 random(6);
    LossPatternCounts counts = lost_by_a_chain(0.1, 0.9, 20000, random);
    EXPECT_GT(counts.gilbert_chance().value(), 0.001);
}

TEST(NoticeableLoss, IsNearTheLossBefore) {
    EXPECT_EQ(LossPattern().counts(10).noticeable(), std::nullopt);
    LossPattern pattern;
    for (const std::uint64_t seq : {5U, 6U, 105U, 205U}) {  // distances of 1, 99 and 100
        pattern.lost(seq, 1);
    }
    EXPECT_EQ(pattern.counts(300).noticeable(), 0.5);
}

TEST(LossInterval, OfNoLossAndOfNothingElseIsUnknown) {
    LossPatternCounts counts;
    EXPECT_FALSE(counts.interval());
    counts.packets = 100;
    counts.good_followed = 99;
    EXPECT_FALSE(counts.interval());
    counts.lost = 100;
    counts.bad_followed = 99;
    counts.good_followed = 0;
    EXPECT_FALSE(counts.interval());
}

/// RFC 3357 and the transitions of a chain of two states, from the list of all packets in the order of sending.
struct SlowPattern {
    Counts periods;
    Counts distances;
    std::uint64_t lost = 0;
    std::array<std::array<std::uint64_t, 2>, 2> transitions{};
    std::array<std::array<std::array<std::uint64_t, 2>, 2>, 2> triples{};

    explicit SlowPattern(const std::vector<bool>& is_lost) {
        std::int64_t length = 0;
        std::int64_t last = -1;
        for (std::size_t i = 0; i < is_lost.size(); ++i) {
            if (i > 0) {
                ++transitions[is_lost[i - 1] ? 1U : 0U][is_lost[i] ? 1U : 0U];
            }
            if (i > 1) {
                ++triples[is_lost[i - 2] ? 1U : 0U][is_lost[i - 1] ? 1U : 0U][is_lost[i] ? 1U : 0U];
            }
            if (is_lost[i]) {
                ++lost;
                ++length;
                if (last >= 0) {
                    ++distances[static_cast<std::int64_t>(i) - last];
                }
                last = static_cast<std::int64_t>(i);
            }
            if (length > 0 and (not is_lost[i] or i + 1 == is_lost.size())) {
                ++periods[length];
                length = 0;
            }
        }
    }
};

void expect_ends(const LossPatternCounts::Ends& ends, const SlowPattern& slow, std::size_t state) {
    const auto& first = slow.triples[1 - state][state];
    const auto& later = slow.triples[state][state];
    EXPECT_EQ(ends.first, first[0] + first[1]);
    EXPECT_EQ(ends.first_ended, first[1 - state]);
    EXPECT_EQ(ends.later, later[0] + later[1]);
    EXPECT_EQ(ends.later_ended, later[1 - state]);
}

void expect_equal(const LossPatternCounts& counts, const std::vector<bool>& is_lost) {
    const SlowPattern slow(is_lost);
    expect_ends(counts.good, slow, 0);
    expect_ends(counts.bad, slow, 1);
    EXPECT_EQ(counts.packets, is_lost.size());
    EXPECT_EQ(counts.lost, slow.lost);
    EXPECT_EQ(counts_of(counts.periods), slow.periods);
    EXPECT_EQ(counts_of(counts.distances), slow.distances);
    EXPECT_EQ(counts.good_followed, slow.transitions[0][0] + slow.transitions[0][1]);
    EXPECT_EQ(counts.good_to_bad, slow.transitions[0][1]);
    EXPECT_EQ(counts.bad_followed, slow.transitions[1][0] + slow.transitions[1][1]);
    EXPECT_EQ(counts.bad_to_good, slow.transitions[1][0]);
}

/// Packets with holes in their numbers, lost in bursts, arriving in some disorder and some of them twice.
struct RandomLoss {
    SequenceHoles holes;
    std::vector<bool> is_lost;            ///< of the packets that were sent, in order
    std::vector<std::uint64_t> arrivals;  ///< their numbers
    std::uint64_t first = 0;
    std::uint64_t end = 0;

    explicit RandomLoss(std::uint32_t seed) {
        std::mt19937_64 engine(seed);
        bool bad = engine() % 4 == 0;
        const std::uint64_t worse = 2 + engine() % 30;
        const std::uint64_t better = 2 + engine() % 6;
        first = end = engine() % 3 == 0 ? engine() % 1000 : 0;
        for (std::size_t i = 0; i < 200 + engine() % 2000; ++i) {
            if (i > 0 and engine() % 40 == 0) {
                const std::uint64_t count = 1 + engine() % 5;
                holes.add(end, count);
                end += count;
            }
            is_lost.push_back(bad);
            if (not bad) {
                arrivals.insert(arrivals.end(), engine() % 20 == 0 ? 2U : 1U, end);
            }
            ++end;
            bad = engine() % (bad ? better : worse) == 0 ? not bad : bad;
        }
        for (std::size_t i = 0; i + 20 < arrivals.size(); i += 1 + engine() % 30) {
            std::swap(arrivals[i], arrivals[i + engine() % 20]);
        }
    }

    [[nodiscard]] LossPatternCounts counts(std::uint64_t window) const {
        BasicSequenceTracker<LossPattern> tracker(window, LossPattern(first, &holes));
        for (const auto seq : arrivals) {
            tracker.add(seq);
        }
        tracker.finish();
        tracker.observer().lost(tracker.next_expected(), end - tracker.next_expected());
        return tracker.observer().counts(end);
    }
};

TEST(LossPattern, IsThatOfAllPacketsInOrderWhateverTheOrderOfArrivalAndTheHolesBetweenThem) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const RandomLoss run(seed);
        expect_equal(run.counts(seed % 2 == 0 ? 192 : 65536), run.is_lost);
    }
}

TEST(LossPattern, IsThatOfEveryArrangementOfAFewPackets) {
    for (std::size_t packets = 1; packets <= 9; ++packets) {
        for (std::uint64_t which = 0; which < (std::uint64_t{1} << packets); ++which) {
            SCOPED_TRACE(which);
            LossPattern pattern;
            std::vector<bool> is_lost;
            for (std::uint64_t seq = 0; seq < packets; ++seq) {
                is_lost.push_back((which >> seq & 1) != 0);
                if (is_lost.back()) {
                    pattern.lost(seq, 1);
                }
            }
            expect_equal(pattern.counts(packets), is_lost);
        }
    }
}

TEST(LossPattern, OfFlowsTogetherAddsUp) {
    LossPatternCounts sum;
    std::uint64_t lost = 0;
    std::uint64_t good_to_bad = 0;
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const RandomLoss run(seed);
        sum.merge(run.counts(65536));
        const SlowPattern slow(run.is_lost);
        lost += slow.lost;
        good_to_bad += slow.transitions[0][1];
    }
    EXPECT_EQ(sum.lost, lost);
    EXPECT_EQ(sum.good_to_bad, good_to_bad);
}

TEST(LossPattern, BeginsWithTheFirstThatWasReceivedWhenNobodyKnowsTheFirstThatWasSent) {
    BasicSequenceTracker<LossPattern> tracker(64, LossPattern(std::nullopt));
    for (const std::uint64_t seq : {1000U, 1001U, 1004U, 1005U}) {
        tracker.add(seq);
    }
    tracker.finish();
    expect_equal(tracker.observer().counts(tracker.next_expected()), {false, false, true, true, false, false});
}

TEST(LossPattern, AllLostIsOnePeriodWithoutAWayIntoItOrOut) {
    LossPattern pattern;
    pattern.lost(0, 100);
    const LossPatternCounts counts = pattern.counts(100);
    expect_equal(counts, std::vector<bool>(100, true));
    EXPECT_FALSE(counts.gilbert_p());
    EXPECT_DOUBLE_EQ(counts.gilbert_r()->value, 0);
    EXPECT_FALSE(counts.gilbert_r()->error);
}

TEST(LossPattern, OfNoPacketsOrOneHasNoTransitions) {
    EXPECT_FALSE(LossPattern().counts(0).gilbert_p());
    EXPECT_FALSE(LossPattern().counts(1).gilbert_p());
    EXPECT_EQ(LossPattern().counts(1).packets, 1U);
}

TEST(LossPattern, AFarLeapOfNumbersIsOneLongPeriod) {
    BasicSequenceTracker<LossPattern> tracker(64);
    tracker.add(0);
    tracker.add(std::uint64_t{1} << 40);
    tracker.finish();
    const LossPatternCounts counts = tracker.observer().counts(tracker.next_expected());
    EXPECT_EQ(counts.lost, (std::uint64_t{1} << 40) - 1);
    EXPECT_EQ(counts.periods.count(), 1U);
    EXPECT_EQ(counts.bad_to_good, 1U);
}

TEST(LossPattern, FindsTheModelThatMadeTheLosses) {
    constexpr double kP = 0.02;
    constexpr double kR = 0.3;
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> uniform;
    LossPattern pattern;
    bool bad = false;
    constexpr std::uint64_t kPackets = 200'000;
    for (std::uint64_t seq = 0; seq < kPackets; ++seq) {
        if (bad) {
            pattern.lost(seq, 1);
        }
        bad = uniform(engine) < (bad ? 1 - kR : kP);
    }
    const LossPatternCounts counts = pattern.counts(kPackets);
    const auto p = counts.gilbert_p();
    const auto r = counts.gilbert_r();
    // Four standard errors of the true model, which the estimated ones are close to.
    const double p_error = std::sqrt(kP * (1 - kP) / static_cast<double>(counts.good_followed));
    const double r_error = std::sqrt(kR * (1 - kR) / static_cast<double>(counts.bad_followed));
    EXPECT_NEAR(p->value, kP, 4 * p_error);
    EXPECT_NEAR(r->value, kR, 4 * r_error);
    EXPECT_NEAR(*p->error, p_error, p_error / 20);
    EXPECT_NEAR(*r->error, r_error, r_error / 20);
}

TEST(SequenceHoles, WhatIsOutOfOrderIsLeftOutAndToldOf) {
    SequenceHoles holes;
    holes.add(5, 5);
    EXPECT_TRUE(holes.complete());
    holes.add(7, 1);
    EXPECT_FALSE(holes.complete());
    EXPECT_EQ(holes.numbers(), 5U);
    HolesPassed passed(&holes);
    EXPECT_EQ(passed.before(5), 0U);
    EXPECT_EQ(passed.before(7), 2U);
    EXPECT_EQ(passed.before(100), 5U);
}

TEST(SequenceHoles, MemoryIsBounded) {
    SequenceHoles holes;
    for (std::uint64_t i = 0; i < SequenceHoles::kMostRuns + 10; ++i) {
        holes.add(2 * i, 1);
    }
    EXPECT_EQ(holes.runs().size(), SequenceHoles::kMostRuns);
    EXPECT_FALSE(holes.complete());
}

}  // namespace
}  // namespace groma
