#include "decoder/analysis/transmit_analyzer.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

TransmitRecord stamp_of(std::uint64_t seq, std::int64_t offset_ns) {
    return {.seq = seq, .transmitted_at = wall_time_from_ns(kStartNs + offset_ns)};
}

TEST(TransmitAnalyzer, StampsInAnyOrderAreJoinedToTheirPackets) {
    TransmitAnalyzer analyzer(StampSource::kernel);
    analyzer.add_sent(sent_packet(0, 0));
    analyzer.add(stamp_of(1, 1700));
    analyzer.add_sent(sent_packet(1, 1000));
    analyzer.add(stamp_of(0, 300));
    analyzer.finish();
    const TransmitFigures figures = analyzer.figures(true);
    EXPECT_EQ(figures.packets, 2U);
    EXPECT_EQ(figures.unmatched, 0U);
    EXPECT_EQ(figures.stack_ns.count, 2U);
    EXPECT_EQ(figures.stack_ns.min, 300);
    EXPECT_EQ(figures.stack_ns.max, 700);
}

TEST(TransmitAnalyzer, AStampWithoutItsPacketIsUnmatchedOrNotOfTheSelection) {
    for (const bool selected : {false, true}) {
        TransmitAnalyzer analyzer(StampSource::kernel);
        if (selected) {
            analyzer.only_of_sent();
        }
        analyzer.add_sent(sent_packet(0, 0));
        analyzer.add(stamp_of(0, 300));
        analyzer.add(stamp_of(7, 400));
        analyzer.finish();
        const TransmitFigures figures = analyzer.figures(true);
        EXPECT_EQ(figures.packets, selected ? 1U : 2U);
        EXPECT_EQ(figures.unmatched, selected ? 0U : 1U);
        EXPECT_EQ(figures.stack_ns.count, 1U);
    }
}

/// Delays of the packets 0, sent and stamped 300 ns later, 1, without a stamp, and one without a number. The stamps
/// come out of order.
Spread delays_by(const ClockState& clock, StampSource stamps = StampSource::kernel) {
    TransmitAnalyzer analyzer(stamps);
    analyzer.add_sent(sent_packet(0, 0));
    analyzer.add_sent(sent_packet(1, 0));
    analyzer.add_sent(sent_packet(2, 0));
    analyzer.add(stamp_of(2, 900));
    analyzer.add(stamp_of(0, 300));
    analyzer.finish();
    for (const std::uint64_t seq : {std::uint64_t{0}, std::uint64_t{1}, ReceivedRecord::kNoSeq}) {
        analyzer.add_arrival(received_packet(seq, 0, 1000), clock);
    }
    return analyzer.figures(clock.absolute()).delay_ns;
}

TEST(TransmitAnalyzer, StampsOfHardwareHaveAClockOfTheirOwnAndNoDelay) {
    EXPECT_FALSE(delays_by({.kind = ClockState::Kind::one_clock}, StampSource::hardware).known);
    EXPECT_EQ(TransmitAnalyzer(StampSource::hardware).figures(true).stamps, "hardware");
}

TEST(TransmitAnalyzer, TheTimeInTheStackIsUnknownByAClockThatNothingRelates) {
    TransmitAnalyzer analyzer(StampSource::hardware);
    analyzer.add_sent(sent_packet(0, 0));
    analyzer.add(stamp_of(0, 37'000'000'000));  // TAI
    analyzer.finish();
    EXPECT_EQ(analyzer.figures(true).packets, 1U);
    EXPECT_FALSE(analyzer.figures(true).stack_ns.known);
}

TEST(TransmitAnalyzer, ADelayGoesFromTheStampToTheArrivalByTheSendersClock) {
    EXPECT_EQ(delays_by({.kind = ClockState::Kind::one_clock}).count, 1U);
    EXPECT_EQ(delays_by({.kind = ClockState::Kind::one_clock}).max, 700);
    ClockState ahead{.kind = ClockState::Kind::probed};
    ahead.fit.pieces = {
        {.reference = wall_time_from_ns(kStartNs), .last = wall_time_from_ns(kStartNs), .offset = Nanos{200}}};
    EXPECT_EQ(delays_by(ahead).max, 500);
}

TEST(TransmitAnalyzer, TimesTooFarApartAreNoDelay) {
    TransmitAnalyzer analyzer(StampSource::kernel);
    analyzer.add_sent(sent_packet(0, 0));
    analyzer.add(stamp_of(0, 300));
    analyzer.finish();
    constexpr std::int64_t kYears = 2'500'000'000'000'000'000;  // 79
    analyzer.add_arrival(received_packet(0, 0, -kYears), {.kind = ClockState::Kind::one_clock});
    EXPECT_EQ(analyzer.figures(true).delay_ns.count, 0U);
}

TEST(TransmitAnalyzer, ThereIsNoDelayAcrossClocksThatAreNotRelated) {
    EXPECT_FALSE(delays_by({.kind = ClockState::Kind::relative}).known);
}

}  // namespace
}  // namespace groma
