// Hosts that get slower or stop occasionally, in virtual time: a run that missed its schedule never looks like one that
// kept it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "common/stats/fidelity/fidelity.hpp"
#include "sender/report/verdict.hpp"
#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

/// The flow's outcome with its fidelity, as the engine gives it.
FlowOutcome outcome_of(SenderWorld& world) {
    FidelityMeter meter;
    for (const SentRecord& record : world.records(0)) {
        meter.add(record);
    }
    FlowOutcome outcome = world.flow(0).outcome("");
    outcome.fidelity = meter.result();
    return outcome;
}

/// What the wire saw of a flow with a constant gap, computed from all departures.
struct Reference {
    double p99_lateness_ns = 0;
    double rate_error = 0;
    double span_ns = 0;
};

Reference reference_of(const FakeWire& wire, MonoTime start, Nanos gap) {
    std::vector<double> lateness;
    for (std::size_t i = 0; i < wire.packets.size(); ++i) {
        lateness.push_back(static_cast<double>((wire.packets[i].at - start - gap * static_cast<int>(i)).count()));
    }
    const std::size_t last = lateness.size() - 1;
    const double span = static_cast<double>(gap.count()) * static_cast<double>(last);
    const auto sent_span = static_cast<double>((wire.packets.back().at - wire.packets.front().at).count());
    std::sort(lateness.begin(), lateness.end());
    const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(lateness.size())));
    return {lateness[rank - 1], std::abs(span / sent_span - 1), span};
}

/// A flow of 100 kpkt/s on a host whose every packet takes `cost`, and from its middle on `cost_later`.
FlowOutcome on_a_host_that_changes(Nanos cost, Nanos cost_later) {
    constexpr std::size_t kPackets = 20'000;
    SenderWorld world(1 << 16, 1);
    FakeWire& wire = world.add(steady_flow(1, kPackets, 10us));
    wire.on_send = [&] { wire.cost = wire.packets.size() < kPackets / 2 ? cost : cost_later; };
    world.begin();
    EXPECT_TRUE(world.run());
    return outcome_of(world);
}

TEST(SurroundingsSimulation, AProcessorThatSlowsDownAndIsStillFastEnoughIsNoMatter) {
    const Verdict verdict = judge(on_a_host_that_changes(2us, 6us));
    EXPECT_EQ(verdict.result, Faithfulness::as_asked) << verdict.text;
}

TEST(SurroundingsSimulation, AProcessorThatBecomesTooSlowInTheMiddleOfARunIsReported) {
    const FlowOutcome outcome = on_a_host_that_changes(6us, 18us);
    const Verdict verdict = judge(outcome);
    EXPECT_EQ(verdict.result, Faithfulness::not_as_asked);
    // Every packet of the second half was 8 us later than the one before it.
    EXPECT_NEAR(static_cast<double>(outcome.fidelity.lateness_ns.max()), 8e3 * 10'000, 8e3 * 200);
    EXPECT_NE(verdict.text.find("late"), std::string::npos) << verdict.text;
    EXPECT_LT(outcome.fidelity.sent_pps().value(), 0.75 * outcome.fidelity.scheduled_pps().value());
}

TEST(SurroundingsSimulation, AProcessorThatIsTooSlowForALittleWhileIsReportedByItsLatePackets) {
    // The mean rate is kept, because late packets are still sent: only the lateness shows it.
    SenderWorld world(1 << 16, 1);
    FakeWire& wire = world.add(steady_flow(1, 20'000, 10us));
    wire.on_send = [&] { wire.cost = wire.packets.size() >= 5000 and wire.packets.size() < 6000 ? 18us : 2us; };
    world.begin();
    ASSERT_TRUE(world.run());
    const FlowOutcome outcome = outcome_of(world);
    EXPECT_LT(outcome.fidelity.rate_error().value(), kRateAsAsked);
    const Verdict verdict = judge(outcome);
    EXPECT_EQ(verdict.result, Faithfulness::not_as_asked) << verdict.text;
    EXPECT_NE(verdict.text.find("late"), std::string::npos) << verdict.text;
}

TEST(SurroundingsSimulation, WhateverStallsAHostTheVerdictIsNoBetterThanAllDeparturesTogether) {
    int good = 0;
    int bad = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        std::mt19937 dice(seed);
        const Nanos gap = std::uniform_int_distribution(0, 1)(dice) == 0 ? Nanos{1ms} : Nanos{50us};
        const double chance = std::pow(10, -std::uniform_real_distribution(1.0, 4.0)(dice));
        const double longest_us = std::pow(10, std::uniform_real_distribution(1.0, 4.5)(dice));
        SenderWorld world;
        FakeWire& wire = world.add(steady_flow(1, 5000, gap));
        wire.on_send = [&] {
            const bool stalls = std::uniform_real_distribution(0.0, 1.0)(dice) < chance;
            const double us = stalls ? std::uniform_real_distribution(0.0, longest_us)(dice) : 2.0;
            wire.cost = Nanos(std::llround(us * 1e3));
        };
        world.begin();
        ASSERT_TRUE(world.run());
        const FlowOutcome outcome = outcome_of(world);
        const Verdict verdict = judge(outcome);
        const Reference truth = reference_of(wire, world.start, gap);
        const double allowed = std::max(static_cast<double>(kLatenessFloor.count()),
                                        kLatenessShareOfGap * static_cast<double>(gap.count()));
        constexpr double kHistogram = 1 + 1.0 / 64;  // the report's percentiles may be off by this
        const bool rate_kept = truth.rate_error <= kRateAsAsked or truth.rate_error * truth.span_ns <= allowed;
        if (verdict.result == Faithfulness::as_asked) {
            ++good;
            EXPECT_LE(truth.p99_lateness_ns, allowed * kHistogram) << "seed " << seed;
            EXPECT_TRUE(rate_kept) << "seed " << seed << ": " << truth.rate_error;
        }
        if (truth.p99_lateness_ns > kLatenessWithin * allowed * kHistogram) {
            ++bad;
            EXPECT_EQ(verdict.result, Faithfulness::not_as_asked) << "seed " << seed << ": " << verdict.text;
        }
    }
    // Otherwise the random cases tested nothing.
    EXPECT_GT(good, 30);
    EXPECT_GT(bad, 30);
}

}  // namespace
}  // namespace groma
