// Series with more intervals than memory is for.
#include "decoder/results/series_interval.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "decoder/results/time_series.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using Instants = std::vector<std::int64_t>;

constexpr SeriesLimits kFew{.of_series = 40, .of_run = 100};
constexpr SeriesKnowledge kKnown{.sent = true, .received = true, .delay = true, .lost = true, .returned = true};

std::size_t intervals_of(const Instants& instants, Nanos interval) {
    std::set<std::int64_t> indices;
    for (const std::int64_t at : instants) {
        indices.insert(interval_of(Nanos{at}, interval));
    }
    return indices.size();
}

/// The shortest that is within the limits.
Nanos expected_length(const std::vector<Instants>& series, Nanos asked) {
    for (Nanos length = asked;; length *= 2) {
        std::size_t all = 0;
        std::size_t most = 0;
        for (const Instants& instants : series) {
            all += intervals_of(instants, length);
            most = std::max(most, intervals_of(instants, length));
        }
        if (all <= kFew.of_run and most <= kFew.of_series) {
            return length;
        }
    }
}

TEST(SeriesInterval, IsTheShortestWithinTheLimitsWhateverTheOrder) {
    std::mt19937_64 engine(1);
    for (int round = 0; round < 200; ++round) {
        std::vector<Instants> instants(1 + engine() % 6);
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < instants.size(); ++i) {
            const std::uint64_t spread = std::uint64_t{1} << (4 + engine() % 50);
            for (std::uint64_t n = engine() % 120; n > 0; --n) {
                instants[i].push_back(static_cast<std::int64_t>(engine() % spread) - static_cast<std::int64_t>(round));
                order.push_back(i);
            }
        }
        std::shuffle(order.begin(), order.end(), engine);
        const auto interval = std::make_shared<SeriesInterval>(Nanos{3}, kFew);
        std::vector<TimeSeries> series;
        for (std::size_t i = 0; i < instants.size(); ++i) {
            series.emplace_back(interval);
        }
        std::vector<std::size_t> next(instants.size());
        for (const std::size_t i : order) {
            ++series[i].at(Nanos{instants[i][next[i]++]}).sent_packets;
        }
        EXPECT_EQ(interval->length(), expected_length(instants, Nanos{3})) << round;
    }
}

/// Packets at equal gaps of 1 ms from 300 us on, some of them lost.
void add_packets(TimeSeries& series, std::int64_t packets) {
    for (std::int64_t i = 0; i < packets; ++i) {
        const Nanos at{300'000 + i * 1'000'000};
        ++series.at(at, series.departures()).sent_packets;
        if (i % 10 != 3) {
            SeriesCell& cell = series.at(at, series.arrivals());
            ++cell.received_packets;
            ++cell.got;
            cell.received_bytes += 500;
            cell.add_delay(Nanos{i});
            cell.add_jitter(Nanos{10});
            series.rare_at(at).add_rtt(Nanos{2 * i});
        }
    }
}

void expect_same_rows(const std::vector<SeriesRow>& some, const std::vector<SeriesRow>& others) {
    ASSERT_EQ(some.size(), others.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        SCOPED_TRACE(i);
        for (const auto figure : {&SeriesRow::sent_packets, &SeriesRow::received_packets, &SeriesRow::received_bytes,
                                  &SeriesRow::lost, &SeriesRow::returned_packets}) {
            EXPECT_EQ(some[i].*figure, others[i].*figure);
        }
        for (const auto figure :
             {&SeriesRow::delay_min_ns, &SeriesRow::delay_max_ns, &SeriesRow::rtt_min_ns, &SeriesRow::rtt_max_ns}) {
            EXPECT_EQ(some[i].*figure, others[i].*figure);
        }
        for (const auto figure : {&SeriesRow::delay_mean_ns, &SeriesRow::jitter_ns, &SeriesRow::rtt_mean_ns,
                                  &SeriesRow::covered_s, &SeriesRow::sent_covered_s}) {
            EXPECT_EQ(some[i].*figure, others[i].*figure);
        }
        EXPECT_DOUBLE_EQ(some[i].t_s, others[i].t_s);
        // In the first interval the share of the gap to the next one may be unknown.
        const double tolerance = i == 0 ? 0.5 / some[i].covered_s.value() : 1e-6;
        EXPECT_NEAR(some[i].sent_rate_pps.value(), others[i].sent_rate_pps.value(), tolerance);
        EXPECT_NEAR(some[i].packet_rate_pps.value(), others[i].packet_rate_pps.value(), tolerance);
    }
}

SeriesKnowledge known_until(std::int64_t packets) {
    SeriesKnowledge known = kKnown;
    known.departures = known.arrivals = TimeSpan{Nanos{300'000}, Nanos{300'000 + (packets - 1) * 1'000'000}};
    return known;
}

TEST(TimeSeries, HasTheFiguresOfTheLongerInterval) {
    for (const std::int64_t packets : {40 * 250, 40 * 500, 9'999, 12'345}) {
        TimeSeries doubled(std::make_shared<SeriesInterval>(Nanos{10'000'000}, kFew));
        add_packets(doubled, packets);
        EXPECT_GT(doubled.interval(), Nanos{10'000'000});
        TimeSeries longer(doubled.interval());
        add_packets(longer, packets);
        expect_same_rows(doubled.rows(known_until(packets)), longer.rows(known_until(packets)));
    }
}

TEST(TimeSeries, IsMergedWithOneOfShorterIntervals) {
    const auto interval = std::make_shared<SeriesInterval>(Nanos{10'000'000}, kFew);
    TimeSeries first(interval);
    add_packets(first, 300);
    TimeSeries second(interval);
    add_packets(second, 2000);
    ASSERT_LT(first.interval(), second.interval());
    TimeSeries total(interval);
    total.merge(first);
    total.merge(second);
    ASSERT_EQ(total.interval(), interval->length());
    TimeSeries longer(interval->length());
    add_packets(longer, 300);
    add_packets(longer, 2000);
    expect_same_rows(total.rows(known_until(2000)), longer.rows(known_until(2000)));
}

TEST(SeriesInterval, OfARunIsSaidWhenItIsLonger) {
    SampleLog sender = empty_log(LogRole::sender);
    std::vector<SentRecord> sent;
    for (std::uint64_t i = 0; i < 1'000'002; ++i) {
        sent.push_back(sent_packet(i, static_cast<std::int64_t>(i)));
    }
    sender.sent.emplace_back(FlowId{1}, sent);
    close(sender);
    const Results results = analyze({sender.source("s")}, {.interval = Nanos{1}});
    EXPECT_EQ(results.runs.front().interval, Nanos{2});
    EXPECT_THAT(results.warnings,
                testing::Contains(testing::HasSubstr(": the interval of the series, 1 ns, was made 2 ns, since")));
    EXPECT_EQ(results.runs.front().flows.front().series.rows().size(), 500'001U);
    EXPECT_FALSE(results.damaged);
}

}  // namespace
}  // namespace groma
