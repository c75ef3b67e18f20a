#include "decoder/results/time_series.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr Nanos kTenMs{10'000'000};
constexpr SeriesKnowledge kAllSeries{.sent = true, .received = true, .delay = true, .lost = true, .returned = true};

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

SeriesKnowledge over(const TimeSpan& span) {
    SeriesKnowledge known = kAllSeries;
    known.departures = known.arrivals = span;
    return known;
}

TEST(TimeSeries, RatesAreOverTheTimeThatTheFlowCoversOfAnInterval) {
    // 100 packets a second from 0.305 s to 2.795 s: 70, 100 and 80 of them in the three seconds.
    constexpr Nanos kSecond = std::chrono::seconds(1);
    TimeSeries series(kSecond);
    const TimeSpan span{Nanos{305'000'000}, Nanos{2'795'000'000}};
    for (Nanos at = span.first; at <= span.last; at += Nanos{10'000'000}) {
        ++series.at(at).sent_packets;
        ++series.at(at).received_packets;
        series.at(at).received_bytes += 500;
    }
    static_cast<void>(series.at(4 * kSecond));
    const auto rows = series.rows(over(span));
    ASSERT_EQ(rows.size(), 5U);
    EXPECT_EQ(rows[0].received_packets, 70U);
    EXPECT_DOUBLE_EQ(rows[0].covered_s.value(), 0.695);
    EXPECT_NEAR(rows[0].packet_rate_pps.value(), 100, 1);
    EXPECT_DOUBLE_EQ(rows[0].packet_rate_pps.value(), 69.5 / 0.695);
    EXPECT_DOUBLE_EQ(rows[0].throughput_bps.value(), 69.5 / 0.695 * 4000);
    EXPECT_DOUBLE_EQ(rows[1].covered_s.value(), 1);
    EXPECT_DOUBLE_EQ(rows[1].packet_rate_pps.value(), 100);
    EXPECT_EQ(rows[2].received_packets, 80U);
    EXPECT_DOUBLE_EQ(rows[2].sent_rate_pps.value(), 79.5 / 0.795);
    EXPECT_DOUBLE_EQ(rows[2].sent_covered_s.value(), 0.795);
    EXPECT_EQ(rows[3].packet_rate_pps, 0);
    EXPECT_EQ(rows[4].covered_s, 0);
}

/// A flow of packets at equal gaps.
TimeSeries at_equal_gaps(const TimeSpan& span, Nanos gap) {
    TimeSeries series(std::chrono::seconds(1));
    for (Nanos at = span.first; at <= span.last; at += gap) {
        ++series.at(at, series.arrivals()).received_packets;
        ++series.at(at, series.departures()).sent_packets;
    }
    return series;
}

void expect_rates(const TimeSeries& series, const TimeSpan& span, double pps) {
    for (const SeriesRow& row : series.rows(over(span))) {
        SCOPED_TRACE(std::to_string(span.first.count()) + ": " + std::to_string(row.t_s));
        if (row.covered_s == 0) {
            EXPECT_FALSE(row.packet_rate_pps or row.sent_rate_pps);
        } else {
            EXPECT_NEAR(row.packet_rate_pps.value(), pps, 1e-6);
            EXPECT_NEAR(row.sent_rate_pps.value(), pps, 1e-6);
        }
    }
}

TEST(TimeSeries, RatesAreThoseOfTheGapsWhereverAFlowBeginsAndEnds) {
    for (const std::int64_t first : {0, 5'000, 300'000'000, 305'000'000, 995'000'000, 999'999'999}) {
        for (const std::int64_t duration : {500'000'000L, 2'000'000'000L, 2'990'000'000L, 3'000'000'000L}) {
            const TimeSpan span{Nanos{first}, Nanos{first + duration}};
            expect_rates(at_equal_gaps(span, kTenMs), span, 100);
            const Nanos uneven{300'000'000};  // is no part of an interval
            const TimeSpan ten{span.first, span.first + 10 * uneven};
            if (first % 100'000'000 == 0) {
                const std::vector<SeriesRow> rows =
                    at_equal_gaps(ten, uneven)
                        .rows({.sent = true, .received = true, .departures = ten, .arrivals = ten});
                EXPECT_NEAR(rows.front().sent_rate_pps.value(), 1 / 0.3, 1e-6) << first;
                EXPECT_NEAR(rows.back().sent_rate_pps.value_or(1 / 0.3), 1 / 0.3, 1e-6) << first;
            }
            const Nanos half_a_second{500'000'000};
            expect_rates(at_equal_gaps({span.first, span.first + 5 * half_a_second}, half_a_second),
                         {span.first, span.first + 5 * half_a_second}, 2);
        }
    }
}

TEST(TimeSeries, RatesOfFlowsTogetherAreThoseOfTheGapsOfAll) {
    const TimeSpan early{Nanos{300'000'000}, Nanos{3'480'000'000}};
    const TimeSpan late{Nanos{310'000'000}, Nanos{3'490'000'000}};
    for (const bool early_first : {true, false}) {
        TimeSeries series = at_equal_gaps(early_first ? early : late, 2 * kTenMs);
        series.merge(at_equal_gaps(early_first ? late : early, 2 * kTenMs));
        expect_rates(series, {early.first, late.last}, 100);
    }
}

TEST(TimeSeries, StretchesAreToldToTheEnds) {
    TimeSeries series(std::chrono::seconds(1));
    std::vector<std::int64_t> instants;
    for (std::int64_t at = 300'000'000; at <= 2'800'000'000; at += 100'000'000) {
        instants.push_back(at);
    }
    for (const auto& part : {std::span(instants).first(5), std::span(instants).subspan(5)}) {
        series.for_each_stretch(part, {part.front(), part.back()}, 0, &series.arrivals(),
                                [](SeriesCell& cell, std::size_t, std::size_t count) {
                                    cell.received_packets += count;
                                    cell.sent_packets += count;
                                });
    }
    series.departures().merge(series.arrivals());
    expect_rates(series, {Nanos{instants.front()}, Nanos{instants.back()}}, 10);
}

TEST(TimeSeries, NothingArrivesWherePacketsLeaveAndNoneArrives) {
    TimeSeries series(kTenMs);
    for (const std::int64_t at : {1, 3, 5}) {
        ++series.at(Nanos{at * 1'000'000}).received_packets;
    }
    static_cast<void>(series.at(2 * kTenMs));
    SeriesKnowledge known = over({Nanos{0}, Nanos{25'000'000}});
    known.arrivals = TimeSpan{Nanos{1'000'000}, Nanos{5'000'000}};
    auto rows = series.rows(known);
    EXPECT_DOUBLE_EQ(rows[0].packet_rate_pps.value(), 2.5 / 0.009);
    EXPECT_EQ(rows[1].packet_rate_pps, 0);
    EXPECT_EQ(rows[2].packet_rate_pps, 0);
    EXPECT_DOUBLE_EQ(rows[2].covered_s.value(), 0.005);
    known.arrivals.reset();
    rows = series.rows(known);
    EXPECT_EQ(rows[0].received_packets, 3U);
    EXPECT_FALSE(rows[0].packet_rate_pps or rows[1].packet_rate_pps or rows[0].covered_s or rows[0].throughput_bps);
}

TEST(TimeSeries, OnePacketAtTheEndOfAFlowHasNoRateInItsInterval) {
    TimeSeries series(kTenMs);
    for (const Nanos at : {Nanos{0}, kTenMs}) {
        ++series.at(at, series.arrivals()).received_packets;
    }
    const auto rows = series.rows(over({Nanos{0}, kTenMs}));
    EXPECT_EQ(rows[0].packet_rate_pps, 100);
    EXPECT_EQ(rows[1].packet_rate_pps, std::nullopt);
    EXPECT_EQ(rows[1].throughput_bps, std::nullopt);
}

TEST(TimeSeries, RatesArePerSecondWhateverTheInterval) {
    TimeSeries series(kTenMs);
    SeriesCell& cell = series.at(Nanos{0});
    cell.received_packets = 5;
    cell.received_bytes = 1250;
    const auto rows = series.rows(over({Nanos{-1}, kTenMs}));
    EXPECT_DOUBLE_EQ(rows[0].packet_rate_pps.value(), 500);
    EXPECT_DOUBLE_EQ(rows[0].throughput_bps.value(), 1e6);
}

TEST(TimeSeries, DelaysAreAveragedAndShifted) {
    TimeSeries series(kTenMs);
    series.at(Nanos{0}).add_delay(Nanos{-10});
    series.at(Nanos{0}).add_delay(Nanos{30});
    series.at(Nanos{0}).add_jitter(Nanos{40});
    const auto rows = series.rows(
        {.sent = true, .received = true, .delay = true, .lost = true, .returned = true, .delay_shift = Nanos{-10}});
    EXPECT_DOUBLE_EQ(rows[0].delay_mean_ns.value(), 20);
    EXPECT_EQ(rows[0].delay_min_ns, 0);
    EXPECT_EQ(rows[0].delay_max_ns, 40);
    EXPECT_DOUBLE_EQ(rows[0].jitter_ns.value(), 40);
}

TEST(TimeSeries, WhatIsNotKnownIsEmptyNotZero) {
    TimeSeries series(kTenMs);
    ++series.at(Nanos{0}).received_packets;
    const auto rows = series.rows({.received = true, .delay = true});
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
