#include "common/stats/clock/clock_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace groma {
namespace {

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;

/// A step of one of the two clocks, at a true time.
struct TrueStep {
    std::int64_t at = 0;
    std::int64_t size = 0;
    bool asking = false;
};

/// Two clocks and the path between them, in virtual time.
struct World {
    double asking_skew = 0;
    double answering_skew = 0;
    std::int64_t offset = 0;
    std::int64_t most_delay_there = 100'000;
    std::int64_t most_delay_back = 100'000;
    double slow_part = 0.3;
    std::vector<TrueStep> steps{};

    [[nodiscard]] std::int64_t jumped(std::int64_t time, bool asking) const {
        std::int64_t sum = 0;
        for (const TrueStep& step : steps) {
            sum += step.asking == asking and time >= step.at ? step.size : 0;
        }
        return sum;
    }
    [[nodiscard]] std::int64_t asking(std::int64_t time) const {
        return time + std::llround(asking_skew * static_cast<double>(time)) + jumped(time, true);
    }
    [[nodiscard]] std::int64_t answering(std::int64_t time) const {
        return time + std::llround(answering_skew * static_cast<double>(time)) + offset + jumped(time, false);
    }
    [[nodiscard]] std::int64_t true_offset(std::int64_t time) const { return answering(time) - asking(time); }
};

std::int64_t delay(const World& world, std::int64_t most, std::mt19937_64& engine) {
    std::int64_t span = std::uniform_int_distribution<std::int64_t>(most / 2, most)(engine);
    if (std::bernoulli_distribution(world.slow_part)(engine)) {
        span += std::llround(std::exponential_distribution<double>(1.0 / (5.0 * kMs))(engine));
    }
    return span;
}

/// Takes the probe and moves the time to its end.
ProbeTimes probe(const World& world, std::int64_t& time, std::mt19937_64& engine) {
    ProbeTimes probe;
    probe.sent = wall_time_from_ns(world.asking(time));
    time += delay(world, world.most_delay_there, engine);
    probe.received = wall_time_from_ns(world.answering(time));
    time += 3000;
    probe.answered = wall_time_from_ns(world.answering(time));
    time += delay(world, world.most_delay_back, engine);
    probe.returned = wall_time_from_ns(world.asking(time));
    return probe;
}

/// As a sender takes them: 20 before the run, some during it, 20 after.
std::vector<ProbeTimes> probes_of_a_run(const World& world, std::int64_t length, std::mt19937_64& engine) {
    std::vector<ProbeTimes> probes;
    std::int64_t time = 0;
    for (int i = 0; i < 20; ++i) {
        probes.push_back(probe(world, time, engine));
    }
    for (std::int64_t due = kSecond / 4; due < length; due += kSecond / 4) {
        time = std::max(time, due);
        probes.push_back(probe(world, time, engine));
    }
    for (int i = 0; i < 20; ++i) {
        probes.push_back(probe(world, time, engine));
    }
    return probes;
}

World random_world(std::mt19937_64& engine) {
    std::uniform_real_distribution<double> skew(-100e-6, 100e-6);
    std::uniform_int_distribution<std::int64_t> span(10'000, 600'000);
    World world;
    world.asking_skew = skew(engine) / 2;
    world.answering_skew = skew(engine) / 2;
    world.offset = std::uniform_int_distribution<std::int64_t>(-10'000 * kSecond, 10'000 * kSecond)(engine);
    world.most_delay_there = span(engine);
    world.most_delay_back = span(engine);
    return world;
}

void add_steps(World& world, std::size_t count, std::int64_t length, std::mt19937_64& engine) {
    const auto part = length / static_cast<std::int64_t>(count);
    std::uniform_real_distribution<double> log_size(std::log(5.0 * kMs), std::log(10.0 * kSecond));
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = part * static_cast<std::int64_t>(i);
        TrueStep step;
        step.at = std::uniform_int_distribution<std::int64_t>(begin + 2 * kSecond, begin + part - 2 * kSecond)(engine);
        step.size = std::llround(std::exp(log_size(engine)));
        step.size = engine() % 2 == 0 ? step.size : -step.size;
        step.asking = engine() % 2 == 0;
        world.steps.push_back(step);
    }
}

::testing::AssertionResult holds_all_the_time(const World& world, const ClockFit& fit, std::int64_t length) {
    for (std::int64_t time = 0; time <= length; time += 7'777'777) {
        const WallTime asked = wall_time_from_ns(world.asking(time));
        const std::int64_t error = fit.offset(asked).count() - world.true_offset(time);
        if (std::abs(error) > fit.bound(asked).count()) {
            return ::testing::AssertionFailure()
                   << "at " << time << " ns the error is " << error << " ns, said was " << fit.bound(asked).count();
        }
    }
    return ::testing::AssertionSuccess();
}

::testing::AssertionResult says_the_steps(const World& world, const ClockFit& fit) {
    if (fit.steps.size() != world.steps.size()) {
        return ::testing::AssertionFailure() << fit.steps.size() << " steps found of " << world.steps.size();
    }
    for (std::size_t i = 0; i < fit.steps.size(); ++i) {
        const TrueStep& truth = world.steps[i];
        const ClockStep& found = fit.steps[i];
        const std::int64_t at = world.asking(truth.at - 1);
        const std::int64_t behind = world.asking(truth.at);
        const std::int64_t away = std::min(std::abs((found.at - wall_time_from_ns(at)).count()),
                                           std::abs((found.at - wall_time_from_ns(behind)).count()));
        const std::int64_t size = truth.asking ? -truth.size : truth.size;
        if (away > found.within.count() or std::abs(found.size.count() - size) > found.error.count()) {
            return ::testing::AssertionFailure()
                   << "a step of " << size << " ns is said to be of " << found.size.count() << " +- "
                   << found.error.count() << " ns, " << away << " ns away, within " << found.within.count();
        }
    }
    return ::testing::AssertionSuccess();
}

TEST(ClockFit, KnowsNothingWithoutProbes) {
    EXPECT_EQ(fit_clock({}), ClockFit{});
}

TEST(ClockFit, OneProbeGivesItsMiddleAndHalfItsDelay) {
    const ProbeTimes only{wall_time_from_ns(1000), wall_time_from_ns(100'000 + 5000), wall_time_from_ns(100'000 + 5700),
                          wall_time_from_ns(9700)};
    const ClockFit fit = fit_clock({&only, 1});
    ASSERT_EQ(fit.pieces.size(), 1U);
    EXPECT_NEAR(static_cast<double>(fit.offset(only.sent).count()), 100'000, 3);
    EXPECT_GE(fit.bound(only.sent).count(), 4000);
    EXPECT_LE(fit.bound(only.sent).count(), 4010);
}

TEST(ClockFit, TheOffsetIsWithinTheBoundAtEveryInstant) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        std::mt19937_64 engine(seed);
        const World world = random_world(engine);
        const std::int64_t length = 10 * kSecond;
        const std::vector<ProbeTimes> probes = probes_of_a_run(world, length, engine);
        const ClockFit fit = fit_clock(probes);
        EXPECT_TRUE(holds_all_the_time(world, fit, length)) << "seed " << seed;
        EXPECT_TRUE(fit.steps.empty()) << "seed " << seed;
        EXPECT_EQ(fit.pieces.size(), 1U);
    }
}

TEST(ClockFit, FindsStepsAndInventsNone) {
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        std::mt19937_64 engine(seed);
        World world = random_world(engine);
        const std::int64_t length = 20 * kSecond;
        add_steps(world, 1 + seed % 3, length, engine);
        const std::vector<ProbeTimes> probes = probes_of_a_run(world, length, engine);
        const ClockFit fit = fit_clock(probes);
        EXPECT_TRUE(holds_all_the_time(world, fit, length)) << "seed " << seed;
        EXPECT_TRUE(says_the_steps(world, fit)) << "seed " << seed;
    }
}

TEST(ClockFit, FindsTheSkew) {
    std::mt19937_64 engine(11);
    World world;
    world.answering_skew = 200e-6;
    const std::int64_t length = 30 * kSecond;
    const ClockFit fit = fit_clock(probes_of_a_run(world, length, engine));
    ASSERT_EQ(fit.pieces.size(), 1U);
    EXPECT_LE(std::abs(fit.pieces[0].skew - 200e-6), fit.pieces[0].skew_error);
    EXPECT_LT(fit.pieces[0].skew_error, 5e-6);
}

TEST(ClockFit, TheBoundIsAboutHalfOfTheShortestDelaysOfBothWays) {
    std::mt19937_64 engine(12);
    World world;
    world.most_delay_there = 400'000;
    const ClockFit fit = fit_clock(probes_of_a_run(world, 60 * kSecond, engine));
    EXPECT_LT(fit.bound(wall_time_from_ns(30 * kSecond)).count(), 150'000);
    EXPECT_GE(fit.bound(wall_time_from_ns(30 * kSecond)).count(), 125'000);
}

TEST(ClockFit, AClockThatChangesItsRateIsNotSaidToStep) {
    std::mt19937_64 engine(13);
    World first;
    World second;
    first.answering_skew = -100e-6;
    second.answering_skew = 100e-6;
    second.offset = -2 * 10 * kSecond / 10'000;  // they agree after 10 s
    std::vector<ProbeTimes> probes;
    for (std::int64_t time = 0; time < 20 * kSecond; time += kSecond / 4) {
        std::int64_t now = time;
        probes.push_back(probe(time < 10 * kSecond ? first : second, now, engine));
    }
    const ClockFit fit = fit_clock(probes);
    EXPECT_EQ(fit.pieces.size(), 2U);
    EXPECT_TRUE(fit.steps.empty());
}

TEST(ClockFit, TheBoundGrowsWhereThereWereNoProbes) {
    std::mt19937_64 engine(14);
    const ClockFit fit = fit_clock(probes_of_a_run(World{}, 5 * kSecond, engine));
    const Nanos within = fit.bound(wall_time_from_ns(kSecond));
    EXPECT_GT(fit.bound(wall_time_from_ns(3600 * kSecond)), within);
    EXPECT_EQ(fit.bound(wall_time_from_ns(kSecond), wall_time_from_ns(3600 * kSecond)),
              fit.bound(wall_time_from_ns(3600 * kSecond)));
}

TEST(ClockFit, ProbesThatContradictThemselvesAreLeftOut) {
    std::mt19937_64 engine(15);
    std::vector<ProbeTimes> probes = probes_of_a_run(World{}, 5 * kSecond, engine);
    const ClockFit whole = fit_clock(probes);
    ProbeTimes wrong = probes[0];
    wrong.answered = wrong.received - Nanos{1};
    probes.insert(probes.begin() + 3, wrong);
    const ClockFit fit = fit_clock(probes);
    EXPECT_EQ(fit.left_out, 1U);
    EXPECT_EQ(fit.pieces, whole.pieces);
}

TEST(ClockFit, HostileTimesDoNoHarm) {
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::mt19937_64 engine(16);
    for (int round = 0; round < 2000; ++round) {
        std::vector<ProbeTimes> probes;
        for (std::size_t i = 0; i < 1 + engine() % 20; ++i) {
            const auto any = [&] {
                const std::int64_t values[] = {0,
                                               1,
                                               -1,
                                               most,
                                               least,
                                               static_cast<std::int64_t>(engine()),
                                               static_cast<std::int64_t>(engine() % 1000)};
                return wall_time_from_ns(values[engine() % std::size(values)]);
            };
            probes.push_back({any(), any(), any(), any()});
        }
        const ClockFit fit = fit_clock(probes);
        EXPECT_EQ(fit.used + fit.left_out, probes.size());
        for (const std::int64_t time : {least, std::int64_t{0}, most}) {
            if (not fit.pieces.empty()) {
                EXPECT_GE(fit.bound(wall_time_from_ns(time)), Nanos{0});
                EXPECT_LE(fit.offset(wall_time_from_ns(time)).count(), std::int64_t{1} << 61);
            }
        }
    }
}

TEST(ClockFit, AClockThatJumpsAboutIsNone) {
    std::vector<ProbeTimes> probes;
    for (std::int64_t i = 0; i < 3000; ++i) {
        const auto at = [&](std::int64_t offset) { return wall_time_from_ns(i * kSecond + offset); };
        const std::int64_t wild = i % 2 * kSecond * 1000;
        probes.push_back({at(0), at(1000 + wild), at(2000 + wild), at(3000)});
    }
    EXPECT_TRUE(fit_clock(probes).pieces.empty());
}

/// Probes every 250 ms, of 80 us each, whose answers have these times.
std::vector<ProbeTimes> probes_answered_at(std::size_t count, std::int64_t first, std::int64_t apart) {
    std::vector<ProbeTimes> probes;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t sent = 1'700'000'000 * kSecond + static_cast<std::int64_t>(i) * kSecond / 4;
        const WallTime answer = wall_time_from_ns(first + static_cast<std::int64_t>(i) * apart);
        probes.push_back({wall_time_from_ns(sent), answer, answer, wall_time_from_ns(sent + 80'000)});
    }
    return probes;
}

TEST(ClockFit, ClocksOfWhichNobodyKnowsHowFarTheyAreApartAreNotRelated) {
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t first :
         {kLeast, kLeast + 1000 * kSecond, -1'000'000'000 * kSecond, kMost - 100 * kSecond}) {
        const ClockFit fit = fit_clock(probes_answered_at(20, first, kSecond / 4));
        EXPECT_TRUE(fit.pieces.empty()) << first;
        EXPECT_EQ(fit.left_out, 20U) << first;
    }
    EXPECT_EQ(fit_clock(probes_answered_at(20, 0, kSecond / 4)).pieces.size(), 1U) << "1970 is 54 years away";
}

TEST(ClockFit, AClockThatStandsStillIsNone) {
    for (const std::size_t count : {20U, 100U, 300U}) {
        EXPECT_TRUE(fit_clock(probes_answered_at(count, 1'700'000'000 * kSecond, 0)).pieces.empty()) << count;
        EXPECT_TRUE(fit_clock(probes_answered_at(count, std::numeric_limits<std::int64_t>::max(), 0)).pieces.empty());
    }
}

}  // namespace
}  // namespace groma
