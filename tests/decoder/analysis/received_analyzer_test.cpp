#include "decoder/analysis/received_analyzer.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

ArrivalTimes one_clock() {
    const auto start = wall_time_from_ns(kStartNs);
    static const ClockState same{.kind = ClockState::Kind::one_clock};
    return {.start = start, .sender_start = start, .clock = &same, .sent_times = nullptr};
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

TEST(ReceivedAnalyzer, AnOffsetIsTakenOff) {
    TimeSeries series(kSecond);
    ArrivalTimes times = one_clock();
    const ClockPiece piece{.reference = wall_time_from_ns(kStartNs),
                           .last = wall_time_from_ns(kStartNs),
                           .offset = Nanos{300},
                           .skew = 0.5,
                           .skew_error = 0.25,
                           .bound = Nanos{10}};
    ClockState apart{.kind = ClockState::Kind::probed};
    apart.fit.pieces = {piece};
    times.clock = &apart;
    ReceivedAnalyzer analyzer(times, series);
    EXPECT_EQ(analyzer.delay_bound(), std::nullopt);
    analyzer.add(received_packet(0, 0, 1000));
    EXPECT_EQ(analyzer.figures(nullptr).delay_ns.min, 700);
    EXPECT_EQ(analyzer.delay_bound(), Nanos{10});
    analyzer.add(received_packet(1, 100, 1000));
    EXPECT_EQ(analyzer.figures(nullptr).delay_ns.min, 650);
    EXPECT_EQ(analyzer.delay_bound(), Nanos{35});
    EXPECT_EQ(analyzer.delay_shift(), Nanos{0});
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
