#include "common/model/flow/schedule.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/sharing.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec flow(const std::string& idt, const std::string& size, StopRule stop) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.name = "test";
    spec.target.host = "localhost";
    spec.idt = parse_idt(idt);
    spec.size = parse_size(size);
    spec.stop = stop;
    EXPECT_EQ(validate(spec), std::vector<std::string>{});
    return spec;
}

StopRule after_packets(std::uint64_t packets) {
    return {.duration = {}, .packets = packets, .bytes = {}};
}

StopRule after(Nanos duration) {
    return {.duration = duration, .packets = {}, .bytes = {}};
}

std::vector<Departure> all(Schedule schedule) {
    std::vector<Departure> departures;
    while (const auto departure = schedule.next()) {
        departures.push_back(*departure);
    }
    return departures;
}

std::vector<std::int64_t> offsets(const FlowSpec& spec) {
    std::vector<std::int64_t> result;
    for (const Departure& departure : all(Schedule(spec))) {
        result.push_back(departure.offset.count());
    }
    return result;
}

TEST(Schedule, ARateThatDoesNotDivideASecondDoesNotDrift) {
    Schedule schedule(flow("const:3000pps", "100", after_packets(300'000)));
    for (std::uint64_t k = 0; k < 300'000; ++k) {
        const auto departure = schedule.next();
        // round(k * 1e9 / 3000) in whole numbers
        const std::uint64_t expected = (k * 1'000'000'000 * 2 + 3000) / 6000;
        ASSERT_EQ(departure, (Departure{k, Nanos{static_cast<std::int64_t>(expected)}, 100}));
    }
    EXPECT_FALSE(schedule.next().has_value());
}

TEST(Schedule, TheFirstPacketLeavesAtTheStartOfTheFlow) {
    FlowSpec spec = flow("const:10ms", "100", after(25ms));
    spec.start_delay = 2s;
    EXPECT_EQ(offsets(spec), (std::vector<std::int64_t>{2'000'000'000, 2'010'000'000, 2'020'000'000}));
}

TEST(Schedule, APacketThatIsDueAtTheEndIsNotSent) {
    EXPECT_EQ(offsets(flow("const:10ms", "100", after(20ms))), (std::vector<std::int64_t>{0, 10'000'000}));
}

TEST(Schedule, TheFirstStopRuleToFireEndsTheFlow) {
    StopRule stop{.duration = 1s, .packets = 3, .bytes = Bytes{1'000'000}};
    EXPECT_EQ(all(Schedule(flow("const:1ms", "100", stop))).size(), 3U);
    stop.packets = 1000;
    stop.bytes = Bytes{201};
    EXPECT_EQ(all(Schedule(flow("const:1ms", "100", stop))).size(), 3U);
    stop.bytes = Bytes{200};
    EXPECT_EQ(all(Schedule(flow("const:1ms", "100", stop))).size(), 2U);
    stop.bytes = Bytes{std::numeric_limits<std::uint64_t>::max()};
    stop.duration = 4ms;
    EXPECT_EQ(all(Schedule(flow("const:1ms", "100", stop))).size(), 4U);
}

TEST(Schedule, WhatGoesAsFastAsPossibleSendsTheBytesThatWereAskedFor) {
    StopRule stop;
    stop.bytes = Bytes{2500};
    FlowSpec spec = flow("const:1ms", "1000", stop);
    EXPECT_EQ(all(Schedule(spec)).back().size, 1000U);
    spec.idt = Greedy{};
    EXPECT_EQ(all(Schedule(spec)).back().size, 500U);
    spec.stop.bytes = Bytes{2001};
    EXPECT_EQ(all(Schedule(spec)).size(), 3U);
    EXPECT_EQ(all(Schedule(spec)).back().size, size_limits(spec).smallest);
}

TEST(Schedule, AFlowThatHasEndedStaysEnded) {
    Schedule schedule(flow("const:1ms", "100", after(1ms)));
    EXPECT_TRUE(schedule.next().has_value());
    EXPECT_FALSE(schedule.next().has_value());
    EXPECT_FALSE(schedule.next().has_value());
}

TEST(Schedule, PeriodsOfSilenceAreInsertedBetweenDepartures) {
    FlowSpec spec = flow("const:10ms", "100", after_packets(6));
    spec.on_off = OnOff{parse_period("const:25ms"), parse_period("const:1s")};
    // ON time 0, 10, 20 | 30, 40 | 50: the packet at 50 ms of ON time starts the third period.
    EXPECT_EQ(offsets(spec),
              (std::vector<std::int64_t>{0, 10'000'000, 20'000'000, 1'030'000'000, 1'040'000'000, 2'050'000'000}));
}

TEST(Schedule, ThePacketAtTheEndOfAnOnPeriodStartsTheNextOne) {
    FlowSpec spec = flow("const:10ms", "100", after_packets(3));
    spec.on_off = OnOff{parse_period("const:10ms"), parse_period("const:5ms")};
    EXPECT_EQ(offsets(spec), (std::vector<std::int64_t>{0, 15'000'000, 30'000'000}));
}

TEST(Schedule, OnPeriodsWithoutAPacketStillTakeTime) {
    FlowSpec spec = flow("const:10ms", "100", after_packets(2));
    spec.on_off = OnOff{parse_period("const:4ms"), parse_period("const:1ms")};
    EXPECT_EQ(offsets(spec), (std::vector<std::int64_t>{0, 12'000'000}));
}

TEST(Schedule, TheDurationIsThatOfTheFlowAndNotOfItsOnTime) {
    FlowSpec spec = flow("const:10ms", "100", after(1s));
    spec.on_off = OnOff{parse_period("const:100ms"), parse_period("const:400ms")};
    EXPECT_EQ(offsets(spec).size(), 20U);
}

TEST(Schedule, TinyOnPeriodsCannotHangTheSender) {
    FlowSpec spec = flow("exp:1h", "100", after_packets(3));
    spec.on_off = OnOff{Constant{1}, Constant{1}};
    EXPECT_EQ(offsets(spec).size(), 3U);
}

TEST(Schedule, NegativeGapsBecomeZeroAndAreCounted) {
    Schedule schedule(flow("normal:1ms:1ms", "100", after_packets(20'000)));
    Nanos last{0};
    while (const auto departure = schedule.next()) {
        ASSERT_GE(departure->offset, last);
        last = departure->offset;
    }
    // P(X < 0) of a normal a deviation above 0 is 0.1587; the binomial deviation of 19999 draws is 52.
    EXPECT_NEAR(static_cast<double>(schedule.draw_counts().gaps_raised), 0.1587 * 19'999, 5 * 52);
    EXPECT_EQ(schedule.draw_counts().gaps_redrawn, 0U);
}

TEST(Schedule, GapsThatNoClockCanCountAreDrawnAgainAndCounted) {
    // P(X > 2^62) = (2^62)^-0.05 = 0.117 for a Pareto of shape 0.05 and scale 1 ns.
    Schedule schedule(flow("pareto:0.05:1ns", "100", after_packets(1'000'000)));
    std::uint64_t packets = 0;
    while (schedule.next()) {
        ++packets;
    }
    EXPECT_GT(packets, 0U);
    std::uint64_t redrawn = 0;
    for (std::uint32_t id = 1; id <= 200; ++id) {
        FlowSpec spec = flow("pareto:0.05:1ns", "100", after_packets(1'000'000));
        spec.id = FlowId{id};
        Schedule other(spec);
        while (other.next()) {
        }
        redrawn += other.draw_counts().gaps_redrawn;
    }
    EXPECT_GT(redrawn, 0U);
}

TEST(Schedule, SizesAreRoundedAndKeptWithinWhatTheTransportCanCarry) {
    FlowSpec spec = flow("const:1ms", "normal:500:300", after_packets(20'000));
    Schedule small(spec);
    while (const auto departure = small.next()) {
        ASSERT_GE(departure->size, 1U);
    }
    // P(X < 0.5) = 0.048
    EXPECT_NEAR(static_cast<double>(small.draw_counts().sizes_raised), 0.048 * 20'000, 5 * 30);
    spec.size = parse_size("cauchy:60000:10000");
    Schedule large(spec);
    while (const auto departure = large.next()) {
        ASSERT_LE(departure->size, 65'507U);
    }
    EXPECT_GT(large.draw_counts().sizes_lowered, 1000U);
}

TEST(Schedule, TheSameSpecAndSeedGiveTheSameDepartures) {
    const FlowSpec spec = flow("exp:1ms", "unif:64:1472", after_packets(1000));
    EXPECT_EQ(all(Schedule(spec)), all(Schedule(spec)));
}

TEST(Schedule, AnotherSeedOrAnotherFlowGivesOtherDepartures) {
    const FlowSpec spec = flow("exp:1ms", "unif:64:1472", after_packets(10));
    FlowSpec other_seed = spec;
    other_seed.seed = 2;
    FlowSpec other_flow = spec;
    other_flow.id = FlowId{2};
    EXPECT_NE(all(Schedule(spec)), all(Schedule(other_seed)));
    EXPECT_NE(all(Schedule(spec)), all(Schedule(other_flow)));
    EXPECT_NE(all(Schedule(other_flow)), all(Schedule(other_seed)));
}

TEST(Schedule, SizesDoNotDependOnHowGapsAreDrawn) {
    const auto sizes = [](const std::string& idt) {
        std::vector<std::uint32_t> result;
        for (const Departure& departure : all(Schedule(flow(idt, "unif:64:1472", after_packets(100))))) {
            result.push_back(departure.size);
        }
        return result;
    };
    EXPECT_EQ(sizes("exp:1ms"), sizes("gamma:2:1ms"));
}

TEST(Schedule, MovesWithoutLosingItsPlace) {
    Schedule first(flow("const:1ms", "100", after_packets(3)));
    EXPECT_EQ(first.next()->seq, 0U);
    Schedule second(std::move(first));
    EXPECT_EQ(second.next()->seq, 1U);
}

}  // namespace
}  // namespace groma
