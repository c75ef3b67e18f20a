#include "common/stats/clock/clock_offset.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace groma {
namespace {

/// A probe over a path with these one-way delays, to a clock that is `offset` ahead.
void add_probe(MinimumDelayFilter& filter, std::int64_t start, std::int64_t there, std::int64_t back,
               std::int64_t offset) {
    constexpr std::int64_t kThinking = 700;
    const std::int64_t answered = start + there + kThinking;
    filter.add(wall_time_from_ns(start), wall_time_from_ns(start + there + offset),
               wall_time_from_ns(answered + offset), wall_time_from_ns(answered + back));
}

TEST(MinimumDelayFilter, KnowsNothingWithoutProbes) {
    EXPECT_EQ(MinimumDelayFilter{}.best(), std::nullopt);
}

TEST(MinimumDelayFilter, FindsTheOffsetExactlyOverASymmetricPath) {
    MinimumDelayFilter filter;
    add_probe(filter, 1'000'000, 4000, 4000, -123'456);
    EXPECT_EQ(filter.best(), (ClockOffset{Nanos{-123'456}, Nanos{4000}}));
}

TEST(MinimumDelayFilter, TrustsTheProbeWithTheSmallestDelay) {
    MinimumDelayFilter filter;
    add_probe(filter, 0, 90'000, 2000, 55);
    add_probe(filter, 1'000'000, 1000, 1000, 55);
    add_probe(filter, 2'000'000, 2000, 90'000, 55);
    EXPECT_EQ(filter.best(), (ClockOffset{Nanos{55}, Nanos{1000}}));
    EXPECT_EQ(filter.used(), 3U);
}

TEST(MinimumDelayFilter, ItsErrorIsWithinTheBoundWhateverTheAsymmetry) {
    std::mt19937_64 engine(3);
    for (int round = 0; round < 500; ++round) {
        const auto offset = static_cast<std::int64_t>(engine() % 2'000'000'000) - 1'000'000'000;
        MinimumDelayFilter filter;
        for (int i = 0; i < 5; ++i) {
            add_probe(filter, i * 1'000'000'000LL, static_cast<std::int64_t>(engine() % 500'000),
                      static_cast<std::int64_t>(engine() % 500'000), offset);
        }
        const auto best = filter.best().value();
        EXPECT_LE(std::chrono::abs(best.offset - Nanos{offset}), best.bound);
    }
}

TEST(MinimumDelayFilter, LeavesOutAProbeThatContradictsItself) {
    MinimumDelayFilter filter;
    filter.add(wall_time_from_ns(1000), wall_time_from_ns(5000), wall_time_from_ns(6000), wall_time_from_ns(900));
    EXPECT_EQ(filter.best(), std::nullopt);
    EXPECT_EQ(filter.left_out(), 1U);
}

TEST(MinimumDelayFilter, SurvivesTimesAtTheEndsOfTheRange) {
    constexpr auto kFirst = wall_time_from_ns(std::numeric_limits<std::int64_t>::min());
    constexpr auto kLast = wall_time_from_ns(std::numeric_limits<std::int64_t>::max());
    MinimumDelayFilter filter;
    filter.add(kFirst, kLast, kLast, kFirst);
    filter.add(kLast, kFirst, kLast, kFirst);
    filter.add(kFirst, kFirst, kFirst, kLast);
    EXPECT_EQ(filter.used() + filter.left_out(), 3U);
}

}  // namespace
}  // namespace groma
