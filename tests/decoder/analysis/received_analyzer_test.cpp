#include "decoder/analysis/received_analyzer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

ArrivalTimes one_clock() {
    const auto start = wall_time_from_ns(kStartNs);
    static const ClockState same{.kind = ClockState::Kind::one_clock};
    return {.start = start, .sender_start = start, .clock = &same, .sent_times = nullptr};
}

void by_column_of(std::span<const ReceivedRecord> records, ReceivedAnalyzer& analyzer) {
    by_column(records, [&](const ReceivedColumns& columns) { analyzer.add(columns); });
}

TEST(ReceivedAnalyzer, ThroughputIsPayloadFromFirstToLastArrival) {
    TimeSeries series(kSecond);
    ReceivedAnalyzer analyzer(one_clock(), series);
    analyzer.add(received_packet(0, 0, 1000, 1000));
    analyzer.add(received_packet(1, 500'000'000, 1000, 250));
    const ReceivedFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.duration(), Nanos{500'000'000});
    EXPECT_DOUBLE_EQ(figures.packet_rate_pps().value(), 2);
    EXPECT_DOUBLE_EQ(figures.throughput_bps().value(), 2 * 625 * 8);
}

TEST(ReceivedAnalyzer, OnlyTheFirstCopyHasADelay) {
    TimeSeries series(kSecond);
    ReceivedAnalyzer analyzer(one_clock(), series);
    analyzer.add(received_packet(0, 0, 1000));
    analyzer.add(received_packet(0, 0, 9000));
    const ReceivedFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.delay_ns.count, 1U);
    EXPECT_EQ(figures.delay_ns.max, 1000);
    EXPECT_EQ(figures.packets, 2U);
    EXPECT_EQ(figures.gaps_ns.count, 1U);
}

TEST(ReceivedAnalyzer, DelaysThatNoClocksHaveAreCounted) {
    for (const Nanos bound : {Nanos{0}, Nanos{500'000}}) {
        ClockState clock{.kind = ClockState::Kind::one_clock};
        if (bound > Nanos{0}) {
            clock.kind = ClockState::Kind::probed;
            clock.fit.pieces = {{.reference = wall_time_from_ns(kStartNs),
                                 .last = wall_time_from_ns(kStartNs + kSecond.count()),
                                 .bound = bound}};
        }
        TimeSeries series(kSecond);
        ArrivalTimes times = one_clock();
        times.clock = &clock;
        ReceivedAnalyzer one_by_one(times, series);
        ReceivedAnalyzer together(times, series);
        std::vector<ReceivedRecord> records;
        for (std::uint64_t seq = 0; seq < 200; ++seq) {
            const std::int64_t delay = seq % 10 == 7 ? -2'000'000 : seq % 10 == 3 ? -100'000 : 50'000;
            records.push_back(received_packet(seq, static_cast<std::int64_t>(seq) * 3'000'000, delay));
            one_by_one.add(records.back());
        }
        by_column(std::span<const ReceivedRecord>(records), [&](const ReceivedColumns& some) { together.add(some); });
        const std::uint64_t expected = bound > Nanos{0} ? 20 : 40;
        EXPECT_EQ(one_by_one.figures(nullptr).impossible, expected);
        EXPECT_EQ(together.figures(nullptr).impossible, expected);
    }
}

TEST(ReceivedAnalyzer, TheOffsetAtItsArrivalIsTakenOff) {
    constexpr std::int64_t kMs = 1'000'000;
    TimeSeries series(kSecond);
    ArrivalTimes times = one_clock();
    const ClockPiece piece{.reference = wall_time_from_ns(kStartNs),
                           .last = wall_time_from_ns(kStartNs),
                           .offset = Nanos{300},
                           .skew = 1e-4,
                           .skew_error = 1e-6,
                           .bound = Nanos{10}};
    ClockState apart{.kind = ClockState::Kind::probed, .offset = Nanos{300}};
    apart.fit.pieces = {piece};
    times.clock = &apart;
    ReceivedAnalyzer analyzer(times, series);
    EXPECT_EQ(analyzer.delay_bound(), std::nullopt);
    analyzer.add(received_packet(0, 0, 10 * kMs + 300 + 1000));
    EXPECT_EQ(analyzer.figures(nullptr).delay_ns.min, 10 * kMs);
    EXPECT_EQ(analyzer.delay_bound(), Nanos{10 + 10});
    analyzer.add(received_packet(1, 100 * kMs, 10 * kMs + 300 + 11'000));
    EXPECT_EQ(analyzer.figures(nullptr).delay_ns.min, 10 * kMs);
    EXPECT_EQ(analyzer.figures(nullptr).delay_ns.max, 10 * kMs);
    EXPECT_EQ(analyzer.figures(nullptr).gaps_ns.max, 100 * kMs);
    EXPECT_EQ(analyzer.delay_bound(), Nanos{10 + 110});
    EXPECT_EQ(analyzer.delay_shift(), Nanos{0});
}

TEST(ReceivedAnalyzer, AStepOfTheClockIsInNoRateGapOrInterval) {
    constexpr std::int64_t kHalf = 5'000'000'000;
    const auto piece = [](std::int64_t from, std::int64_t offset) {
        return ClockPiece{.at = wall_time_from_ns(kStartNs + from),
                          .reference = wall_time_from_ns(kStartNs + from),
                          .last = wall_time_from_ns(kStartNs + from + kHalf - 1),
                          .offset = Nanos{offset}};
    };
    ClockState steps{.kind = ClockState::Kind::probed, .offset = Nanos{700}};
    steps.fit.pieces = {piece(0, 700), piece(kHalf, kHalf + 700)};
    for (const bool by_column : {false, true}) {
        ArrivalTimes times = one_clock();
        times.clock = &steps;
        times.start = wall_time_from_ns(kStartNs + 700);
        TimeSeries series(kSecond);
        ReceivedAnalyzer analyzer(times, series);
        std::vector<ReceivedRecord> records;
        for (std::uint64_t seq = 0; seq < 1000; ++seq) {
            const auto at = static_cast<std::int64_t>(seq) * 10'000'000;
            records.push_back(received_packet(seq, at, 1000 + 700 + (at < kHalf ? 0 : kHalf)));
        }
        if (by_column) {
            by_column_of(records, analyzer);
        } else {
            for (const ReceivedRecord& record : records) {
                analyzer.add(record);
            }
        }
        const ReceivedFigures figures = analyzer.figures(nullptr);
        EXPECT_EQ(figures.delay_ns.min, 1000);
        EXPECT_EQ(figures.delay_ns.max, 1000);
        EXPECT_EQ(figures.gaps_ns.max, 10'000'000);
        EXPECT_DOUBLE_EQ(figures.packet_rate_pps().value(), 100);
        EXPECT_EQ(figures.jitter_ditg_ns, 0);
        for (std::int64_t second = 0; second < 10; ++second) {
            EXPECT_EQ(series.at(Nanos{second * 1'000'000'000}).received_packets, 100U) << second;
        }
    }
}

TEST(ReceivedAnalyzer, RelativeDelaysStartAtZeroAndAreExactForDistantClocks) {
    TimeSeries series(kSecond);
    ArrivalTimes times = one_clock();
    times.clock = nullptr;
    ReceivedAnalyzer analyzer(times, series);
    constexpr std::int64_t kYears = 1'500'000'000'000'000'000;
    analyzer.add(received_packet(0, 0, 100 - kYears));
    analyzer.add(received_packet(1, 50, 40 - kYears));
    analyzer.add(received_packet(2, 90, 90 - kYears));
    const ReceivedFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.delay_ns.min, 0);
    EXPECT_EQ(figures.delay_ns.p50, 50);
    EXPECT_EQ(figures.delay_ns.max, 60);
}

TEST(ReceivedAnalyzer, TimesTooFarApartAreNoDelay) {
    constexpr std::int64_t kYears = 2'500'000'000'000'000'000;  // 79
    for (const bool related : {false, true}) {
        for (const bool by_column : {false, true}) {
            TimeSeries series(kSecond);
            ArrivalTimes times = one_clock();
            times.clock = related ? times.clock : nullptr;
            ReceivedAnalyzer analyzer(times, series);
            std::vector<ReceivedRecord> records;
            for (std::uint64_t seq = 0; seq < 10; ++seq) {
                records.push_back(received_packet(seq, static_cast<std::int64_t>(seq) * 1000, 500 - kYears));
            }
            records.push_back(received_packet(10, 10'000, 700));
            if (by_column) {
                by_column_of(records, analyzer);
            } else {
                std::ranges::for_each(records, [&](const ReceivedRecord& record) { analyzer.add(record); });
            }
            const ReceivedFigures figures = analyzer.figures(nullptr);
            EXPECT_EQ(figures.undated, 10U);
            EXPECT_EQ(figures.delay_ns.count, 1U);
            EXPECT_EQ(figures.delay_ns.max, related ? 700 : 0);
        }
    }
}

TEST(ReceivedAnalyzer, ArrivalsOutOfOrderInTimeDoNotShortenTheDuration) {
    TimeSeries series(kSecond);
    ReceivedAnalyzer analyzer(one_clock(), series);
    analyzer.add(received_packet(0, 0, 5000));
    analyzer.add(received_packet(1, 0, 9000));
    analyzer.add(received_packet(2, 0, 4000));
    EXPECT_EQ(analyzer.figures(nullptr).duration(), Nanos{5000});
}

}  // namespace
}  // namespace groma
