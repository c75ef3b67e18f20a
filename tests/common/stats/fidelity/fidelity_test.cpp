#include "common/stats/fidelity/fidelity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "common/model/distributions/sampler.hpp"
#include "common/stats/fidelity/fidelity_sum.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr WallTime kStart = wall_time_from_ns(1'700'000'000'000'000'000);

SentRecord packet(std::uint64_t seq, Nanos scheduled, Nanos lateness, std::uint32_t batch = 1) {
    return {.seq = seq, .sent_at = kStart + scheduled + lateness, .lateness = lateness, .size = 100, .batch = batch};
}

TEST(Fidelity, HasNoRatesWithoutPackets) {
    const Fidelity nothing = FidelityMeter().result();
    EXPECT_EQ(nothing.packets, 0U);
    EXPECT_EQ(nothing.scheduled_pps(), std::nullopt);
    EXPECT_EQ(nothing.sent_pps(), std::nullopt);
    EXPECT_EQ(nothing.rate_error(), std::nullopt);
}

TEST(Fidelity, HasNoRatesOfOnePacketButCountsIt) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 5us));
    EXPECT_EQ(meter.result().packets, 1U);
    EXPECT_EQ(meter.result().bytes, 100U);
    EXPECT_EQ(meter.result().sent_pps(), std::nullopt);
    EXPECT_EQ(meter.result().lateness_ns.count(), 1U);
}

TEST(Fidelity, TellsTheRateThatWasAskedForFromTheOneThatWasSent) {
    FidelityMeter meter;
    for (unsigned i = 0; i < 11; ++i) {
        meter.add(packet(i, i * 1ms, i * 1ms));  // each gap is twice as long as asked for
    }
    const Fidelity result = meter.result();
    EXPECT_DOUBLE_EQ(result.scheduled_pps().value(), 1000);
    EXPECT_DOUBLE_EQ(result.sent_pps().value(), 500);
    EXPECT_DOUBLE_EQ(result.scheduled_bps().value(), 800'000);
    EXPECT_DOUBLE_EQ(result.sent_bps().value(), 400'000);
    EXPECT_DOUBLE_EQ(result.rate_error().value(), 0.5);
}

TEST(Fidelity, ASteadyDelayOfAllPacketsIsLatenessAndNoRateError) {
    FidelityMeter meter;
    for (unsigned i = 0; i < 100; ++i) {
        meter.add(packet(i, i * 1ms, 70us));
    }
    EXPECT_NEAR(meter.result().rate_error().value(), 0, 1e-12);
    EXPECT_EQ(meter.result().lateness_ns.min(), 70'000);
    EXPECT_EQ(meter.result().lateness_ns.max(), 70'000);
}

TEST(Fidelity, PacketsThatAreAllDueAtOnceAndThoseThatLeaveAtOnceHaveNoRateToCompare) {
    FidelityMeter due;
    FidelityMeter left;
    for (unsigned i = 0; i < 10; ++i) {
        due.add(packet(i, 0ms, i * 1ms));
        left.add(packet(i, i * 1ms, 9ms - i * 1ms));
    }
    EXPECT_EQ(due.result().rate_error(), std::nullopt);
    EXPECT_EQ(left.result().rate_error(), std::nullopt);
}

TEST(Fidelity, WhatCouldNotBeSentWasAskedForAllTheSame) {
    FidelityMeter meter;
    for (unsigned i = 0; i < 11; ++i) {
        meter.add(packet(i, i * 2ms, 0ms));  // every other departure was dropped
    }
    Fidelity result = meter.result();
    EXPECT_DOUBLE_EQ(result.rate_error().value(), 0);
    result.count_unsent(10);
    EXPECT_DOUBLE_EQ(result.scheduled_pps().value(), 1000);
    EXPECT_DOUBLE_EQ(result.scheduled_bps().value(), 800'000);
    EXPECT_DOUBLE_EQ(result.rate_error().value(), 0.5);
}

TEST(Fidelity, APacketIsLateBeyondATenthOfItsGap) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 5ms));  // no gap before it
    meter.add(packet(1, 1ms, 100us));
    meter.add(packet(2, 2ms, 101us));
    meter.add(packet(3, 12ms, 1ms));
    EXPECT_EQ(meter.result().late_packets, 1U);
}

TEST(Fidelity, AStepOfTheWallClockDoesNotMakeAPacketLate) {
    FidelityMeter meter;
    meter.add(packet(0, 10ms, 0us));
    meter.add(packet(1, 5ms, 0us));
    EXPECT_EQ(meter.result().late_packets, 0U);
    EXPECT_EQ(meter.result().sent_pps(), std::nullopt);
}

TEST(Fidelity, SurvivesRecordsWithImpossibleTimes) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    FidelityMeter meter;
    meter.add({.seq = 0, .sent_at = wall_time_from_ns(-kMost), .lateness = Nanos{kMost}, .size = 1, .batch = 1});
    meter.add({.seq = 1, .sent_at = wall_time_from_ns(kMost), .lateness = Nanos{-kMost}, .size = 1, .batch = 1});
    EXPECT_EQ(meter.result().packets, 2U);
}

TEST(Fidelity, CountsPacketsThatWentAloneAndTogether) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 0us));
    meter.add(packet(1, 1ms, 1us, 3));
    meter.add(packet(2, 1ms, 1us, 3));
    meter.add(packet(3, 1ms, 1us, 3));
    const Fidelity result = meter.result();
    EXPECT_EQ(result.alone, 1U);
    EXPECT_EQ(result.batched, 3U);
    EXPECT_EQ(result.largest_batch, 3U);
}

TEST(Fidelity, EachSendCallCountsOnceAmongTheBatches) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 0us));
    for (unsigned i = 1; i <= 3; ++i) {
        meter.add(packet(i, 1ms, 1us, 3));
    }
    for (unsigned i = 4; i <= 6; ++i) {  // another call of as many
        meter.add(packet(i, 2ms, 1us, 3));
    }
    meter.add(packet(8, 3ms, 1us, 2));  // the record of the other is missing
    meter.add(packet(9, 4ms, 1us, 2));
    meter.add(packet(10, 4ms, 1us, 2));
    const LogHistogram& sizes = meter.result().batch_sizes;
    EXPECT_EQ(sizes.count(), 5U);
    EXPECT_EQ(sizes.min(), 1);
    EXPECT_EQ(sizes.percentile(0.5), 2);
    EXPECT_EQ(sizes.max(), 3);
}

TEST(Fidelity, AGapIsOffByWhatOnePacketWasLaterThanTheOther) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 2us));
    meter.add(packet(1, 1ms, 2500ns));  // 0.5 us longer
    meter.add(packet(2, 2ms, 200ns));   // 2.3 us shorter
    meter.add(packet(3, 3ms, 60us));    // 59.8 us longer
    meter.add(packet(4, 4ms, 900us));   // 840 us longer
    const Fidelity result = meter.result();
    EXPECT_EQ(result.gap_error_ns.count(), 4U);
    EXPECT_EQ(result.gap_error_ns.min(), 500);
    EXPECT_EQ(result.gap_error_ns.max(), 840'000);
    EXPECT_EQ(result.gaps_within_1us, 1U);
    EXPECT_EQ(result.gaps_within_10us, 2U);
    EXPECT_EQ(result.gaps_within_100us, 3U);
    EXPECT_FALSE(result.fit);
}

TEST(Fidelity, AStepOfTheWallClockIsNoGapError) {
    FidelityMeter meter;
    for (unsigned i = 0; i < 10; ++i) {
        meter.add(packet(i, i * 1ms + (i < 5 ? 0ms : 10s), 1us));
    }
    EXPECT_EQ(meter.result().gap_error_ns.count(), 9U);
    EXPECT_EQ(meter.result().gap_error_ns.max(), 0);
}

TEST(Fidelity, WherePacketsAreMissingIsNoGap) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 0us));
    meter.add(packet(1, 1ms, 0us));
    meter.add(packet(5, 5ms, 80us));
    meter.add(packet(6, 6ms, 80us));
    EXPECT_EQ(meter.result().gap_error_ns.count(), 2U);
    EXPECT_EQ(meter.result().gap_error_ns.max(), 0);
}

TEST(Fidelity, TheVariationOfGapsIsTheirDeviationOverTheirMean) {
    FidelityMeter steady;
    FidelityMeter uneven;
    FidelityMeter one;
    for (unsigned i = 0; i < 101; ++i) {
        steady.add(packet(i, i * 1ms, 5us));
        uneven.add(packet(i, i * 1ms, i % 2 * 500us));  // alternating gaps of 0.5 and 1.5 ms
    }
    one.add(packet(0, 0ms, 0us));
    one.add(packet(1, 1ms, 0us));
    EXPECT_EQ(steady.result().gap_variation, 0);
    EXPECT_NEAR(uneven.result().gap_variation.value(), 0.5 * std::sqrt(100.0 / 99), 1e-12);
    EXPECT_EQ(one.result().gap_variation, std::nullopt);
    FidelitySum sum;
    sum.add(one.result());
    sum.add(one.result());
    EXPECT_EQ(sum.result().gap_variation, std::nullopt) << "two gaps, of one flow each";
    sum.add(steady.result());
    EXPECT_EQ(sum.result().gap_variation, 0);
}

TEST(Fidelity, BehindIsTheTimeDuringWhichSomethingWasDue) {
    FidelityMeter meter;
    meter.add(packet(0, 0ms, 100us));   // 100 us
    meter.add(packet(1, 1ms, 0us));     // none
    meter.add(packet(2, 2ms, 5ms, 4));  // from 2 to 7 ms
    meter.add(packet(3, 3ms, 4ms, 4));  // within that
    meter.add(packet(4, 4ms, 3ms, 4));  // within that
    meter.add(packet(5, 7ms, 0us, 4));  // none
    meter.add(packet(6, 7500us, 1ms));  // 1 ms
    meter.add(packet(7, 8ms, 1500us));  // from 8.5 to 9.5 ms: 1 ms more
    EXPECT_EQ(meter.result().behind, Nanos(100us + 5ms + 1ms + 1ms));
}

TEST(Fidelity, RecordsTogetherCountAsOneByOne) {
    std::vector<SentRecord> records;
    FidelityMeter one_by_one;
    FidelityMeter together;
    for (unsigned i = 0; i < 100; ++i) {
        records.push_back(packet(i, i * 1ms, i * i * 10ns));
        one_by_one.add(records.back());
    }
    together.add(records);
    EXPECT_EQ(together.result().gap_error_ns.bins(), one_by_one.result().gap_error_ns.bins());
    EXPECT_EQ(together.result().behind, one_by_one.result().behind);
    EXPECT_EQ(together.result().packets, 100U);
}

/// Sent as drawn, each packet up to 10 us late.
FidelityMeter exponential_flow(const std::shared_ptr<const GapModel>& model, std::uint64_t seed, unsigned packets) {
    FidelityMeter meter({model});
    Sampler sampler(Exponential{1e6}, seed);
    double time = 0;
    for (unsigned i = 0; i < packets; ++i) {
        meter.add(packet(i, Nanos{std::llround(time)}, Nanos{(i * 7919) % 10'000}));
        time += sampler.draw();
    }
    return meter;
}

TEST(Fidelity, ComparesTheGapsWithWhatWasAskedFor) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{1e6}));
    const Fidelity result = exponential_flow(model, 3, 20'001).result();
    ASSERT_TRUE(result.fit);
    EXPECT_EQ(result.fit->gaps, 20'000U);
    EXPECT_LT(std::abs(result.fit->lambda2), 4 * result.fit->lambda2_error);
    EXPECT_NEAR(result.gap_variation.value(), 1, 0.03);
}

/// Sent as fast as possible.
Fidelity greedy_fidelity() {
    FlowSpec spec;
    spec.idt = Greedy{};
    FidelityMeter meter(GapModels().of(spec));
    for (unsigned i = 0; i < 30; ++i) {
        meter.add(packet(i, i / 3 * 1ms, 0ms, 3));
    }
    return meter.result(kStart);
}

TEST(Fidelity, WithoutAScheduleHasOnlyWhatWasSent) {
    const Fidelity result = greedy_fidelity();
    EXPECT_TRUE(result.greedy);
    EXPECT_EQ(result.packets, 30U);
    EXPECT_DOUBLE_EQ(result.sent_pps().value(), 29 / 9e-3);
    EXPECT_EQ(result.scheduled_pps(), std::nullopt);
    EXPECT_EQ(result.rate_error(), std::nullopt);
    EXPECT_EQ(result.lateness_ns.count(), 0U);
    EXPECT_EQ(result.gap_error_ns.count(), 0U);
    EXPECT_DOUBLE_EQ(result.bytes_per_send().value(), 300);
    EXPECT_EQ(Fidelity().bytes_per_send(), std::nullopt);
}

TEST(FidelitySum, AFlowWithoutAScheduleLeavesTheRateSentAndTheLatenessOfOthers) {
    FidelityMeter paced;
    for (unsigned i = 0; i < 11; ++i) {
        paced.add(packet(i, i * 1ms, 5us));
    }
    FidelitySum sum;
    sum.add(paced.result(kStart));
    sum.add(greedy_fidelity());
    EXPECT_TRUE(sum.result().greedy);
    EXPECT_TRUE(sum.result().sent_pps());
    EXPECT_EQ(sum.result().scheduled_pps(), std::nullopt);
    EXPECT_EQ(sum.result().lateness_ns.count(), 11U);
}

TEST(FidelitySum, FlowsTogetherHaveTheGapsOfAllOfThem) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{1e6}));
    FidelitySum sum;
    std::uint64_t within = 0;
    Nanos behind{0};
    for (unsigned flow = 0; flow < 20; ++flow) {
        const Fidelity part = exponential_flow(model, flow, 30 + flow).result();
        within += part.gaps_within_1us;
        behind += part.behind;
        sum.add(part);
    }
    const Fidelity result = sum.result();
    EXPECT_EQ(result.packets, 790U);
    EXPECT_EQ(result.gap_error_ns.count(), 770U);
    EXPECT_EQ(result.gaps_within_1us, within);
    EXPECT_EQ(result.behind, behind);
    EXPECT_EQ(result.batch_sizes.count(), 790U);
    ASSERT_TRUE(result.fit);
    EXPECT_EQ(result.fit->gaps, 770U);
    EXPECT_LT(std::abs(result.fit->lambda2), 5 * result.fit->lambda2_error);
}

TEST(FidelitySum, RatesAreThoseOfAllPacketsFromTheFirstToTheLast) {
    FidelityMeter early;
    FidelityMeter late;
    for (unsigned i = 0; i < 11; ++i) {
        early.add(packet(i, i * 1ms, 0ms));
        late.add(packet(i, 1s + i * 1ms, i * 1ms));  // half as fast as asked
    }
    FidelitySum sum;
    sum.add(early.result(kStart));
    sum.add(FidelityMeter().result(kStart));
    sum.add(late.result(kStart));
    const Fidelity result = sum.result();
    EXPECT_EQ(result.scheduled, (TimeSpan{0ms, 1010ms}));
    EXPECT_EQ(result.sent, (TimeSpan{0ms, 1020ms}));
    EXPECT_DOUBLE_EQ(result.scheduled_pps().value(), 21 / 1.01);
    EXPECT_DOUBLE_EQ(result.sent_pps().value(), 21 / 1.02);
    EXPECT_DOUBLE_EQ(result.sent_bps().value(), 800 * 21 / 1.02);
    Fidelity untimed = early.result(kStart);
    untimed.sent = {};
    sum.add(untimed);
    EXPECT_EQ(sum.result().sent_pps(), std::nullopt);
    EXPECT_EQ(sum.result().scheduled_pps(), std::nullopt);
}

TEST(FidelitySum, HasAFitOnlyIfEveryFlowWithEnoughGapsHasOne) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{1e6}));
    for (const unsigned packets : {20U, 21U}) {
        FidelitySum sum;
        sum.add(exponential_flow(model, 9, 2000).result());
        sum.add(exponential_flow(nullptr, 8, packets).result());  // without a model
        EXPECT_EQ(sum.result().fit.has_value(), packets == 20);   // which is 19 gaps
    }
}

TEST(FidelitySum, OfOneFlowIsThatFlow) {
    const auto model = std::make_shared<const GapModel>(Distribution(Exponential{1e6}));
    const Fidelity part = exponential_flow(model, 9, 2000).result();
    FidelitySum sum;
    sum.add(part);
    EXPECT_EQ(sum.result().fit, part.fit);
    EXPECT_EQ(sum.result().gap_variation, part.gap_variation);
    EXPECT_EQ(sum.result().sent_pps(), part.sent_pps());
    EXPECT_FALSE(FidelitySum().result().fit);
}

}  // namespace
}  // namespace groma
