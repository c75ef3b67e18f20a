#include "decoder/results/time_series.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr Nanos kTenMs{10'000'000};
constexpr SeriesKnowledge kAllSeries{true, true, true, true, true, Nanos{0}};

TEST(TimeSeries, IsAlignedToTheStartOfTheRunAndFillsEmptyIntervals) {
    TimeSeries series(kTenMs);
    ++series.at(Nanos{25'000'000}).sent_packets;
    const auto rows = series.rows(kAllSeries);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_DOUBLE_EQ(rows[0].t_s, 0);
    EXPECT_EQ(rows[0].sent_packets, 0U);
    EXPECT_DOUBLE_EQ(rows[2].t_s, 0.02);
    EXPECT_EQ(rows[2].sent_packets, 1U);
}

TEST(TimeSeries, ABoundaryBelongsToTheIntervalThatItStarts) {
    TimeSeries series(kTenMs);
    ++series.at(Nanos{9'999'999}).sent_packets;
    ++series.at(Nanos{10'000'000}).sent_packets;
    const auto rows = series.rows(kAllSeries);
    EXPECT_EQ(rows[0].sent_packets, 1U);
    EXPECT_EQ(rows[1].sent_packets, 1U);
}

TEST(TimeSeries, WhatIsBeforeTheStartHasANegativeTime) {
    TimeSeries series(kTenMs);
    ++series.at(Nanos{-1}).received_packets;
    const auto rows = series.rows(kAllSeries);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_DOUBLE_EQ(rows[0].t_s, -0.01);
}

TEST(TimeSeries, RatesArePerSecondWhateverTheInterval) {
    TimeSeries series(kTenMs);
    SeriesCell& cell = series.at(Nanos{0});
    cell.received_packets = 5;
    cell.received_bytes = 1250;
    const auto rows = series.rows(kAllSeries);
    EXPECT_DOUBLE_EQ(rows[0].packet_rate_pps.value(), 500);
    EXPECT_DOUBLE_EQ(rows[0].throughput_bps.value(), 1e6);
}

TEST(TimeSeries, DelaysAreAveragedAndShifted) {
    TimeSeries series(kTenMs);
    series.at(Nanos{0}).add_delay(Nanos{-10});
    series.at(Nanos{0}).add_delay(Nanos{30});
    series.at(Nanos{0}).add_jitter(Nanos{40});
    const auto rows = series.rows({true, true, true, true, true, Nanos{-10}});
    EXPECT_DOUBLE_EQ(rows[0].delay_mean_ns.value(), 20);
    EXPECT_EQ(rows[0].delay_min_ns, 0);
    EXPECT_EQ(rows[0].delay_max_ns, 40);
    EXPECT_DOUBLE_EQ(rows[0].jitter_ns.value(), 40);
}

TEST(TimeSeries, WhatIsNotKnownIsEmptyNotZero) {
    TimeSeries series(kTenMs);
    ++series.at(Nanos{0}).received_packets;
    const auto rows = series.rows({false, true, true, false, false, Nanos{0}});
    EXPECT_EQ(rows[0].sent_packets, std::nullopt);
    EXPECT_EQ(rows[0].lost, std::nullopt);
    EXPECT_EQ(rows[0].delay_mean_ns, std::nullopt);
    EXPECT_EQ(rows[0].jitter_ns, std::nullopt);
}

TEST(TimeSeries, LossIsWhatLeftInTheIntervalAndNeverCame) {
    TimeSeries series(kTenMs);
    series.at(Nanos{0}).sent_packets = 7;
    series.at(Nanos{0}).got = 5;
    EXPECT_EQ(series.rows(kAllSeries)[0].lost, 2U);
}

TEST(TimeSeries, AVeryLongHoleIsLeftOut) {
    TimeSeries series(Nanos{1});
    ++series.at(Nanos{0}).sent_packets;
    ++series.at(Nanos{std::int64_t{1} << 60}).sent_packets;
    EXPECT_EQ(series.rows(kAllSeries).size(), 2U);
}

TEST(TimeSeries, HolesAreFilledAsLongAsAllOfThemAreNotTooMuch) {
    TimeSeries series(Nanos{1});
    for (const std::int64_t at : {0, 5, 15, 18}) {
        ++series.at(Nanos{at}).sent_packets;
    }
    SeriesKnowledge known = kAllSeries;
    EXPECT_EQ(series.rows(known).size(), 19U);
    known.most_empty = 6;
    EXPECT_EQ(series.rows(known).size(), 4U + 4U + 2U);
}

TEST(TimeSeries, MergingAddsIntervalByInterval) {
    TimeSeries first(kTenMs);
    TimeSeries second(kTenMs);
    first.at(Nanos{0}).sent_packets = 1;
    second.at(Nanos{0}).sent_packets = 2;
    second.at(kTenMs).add_delay(Nanos{5});
    first.merge(second);
    const auto rows = first.rows(kAllSeries);
    EXPECT_EQ(rows[0].sent_packets, 3U);
    EXPECT_EQ(rows[1].delay_max_ns, 5);
}

}  // namespace
}  // namespace groma
