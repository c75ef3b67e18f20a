#include "decoder/analysis/sent_analyzer.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

struct Fixture {
    TimeSeries series{kSecond};
    FlowSpec spec;

    [[nodiscard]] SentAnalyzer analyzer() { return {spec, wall_time_from_ns(kStartNs), true, series}; }
};

TEST(SentAnalyzer, GapsAreBetweenConsecutivePacketsOnly) {
    Fixture fixture;
    SentAnalyzer analyzer = fixture.analyzer();
    for (const auto& [seq, at] : {std::pair(0U, 0), std::pair(1U, 100), std::pair(5U, 900), std::pair(6U, 1020)}) {
        analyzer.add(sent_packet(seq, at));
    }
    const SentFigures figures = analyzer.figures(nullptr);
    EXPECT_EQ(figures.gaps_ns.count, 2U);
    EXPECT_EQ(figures.gaps_ns.min, 100);
    EXPECT_EQ(figures.gaps_ns.max, 120);
    EXPECT_EQ(figures.duration, Nanos{1020});
}

TEST(SentAnalyzer, RemembersOnlyTimesThatAPacketCannotCarry) {
    Fixture fixture;
    SentAnalyzer analyzer = fixture.analyzer();
    analyzer.add(sent_packet(0, 0, 11));
    analyzer.add(sent_packet(1, 10, 12));
    EXPECT_EQ(analyzer.times().size(), 1U);
}

TEST(SentAnalyzer, RemembersAllTimesWhenPacketsCarryNumbersOnly) {
    Fixture fixture;
    fixture.spec.header = HeaderLevel::sequence;
    SentAnalyzer analyzer = fixture.analyzer();
    analyzer.add(sent_packet(0, 0, 1400));
    EXPECT_EQ(analyzer.times().size(), 1U);
}

TEST(SentAnalyzer, TheLengthBeforeAFrameLeavesLessRoomForTheHeader) {
    Fixture fixture;
    fixture.spec.transport = Transport::tcp;
    SentAnalyzer analyzer = fixture.analyzer();
    analyzer.add(sent_packet(0, 0, 12));
    EXPECT_EQ(analyzer.times().find(0), wall_time_from_ns(kStartNs));
}

TEST(SentAnalyzer, TotalsSayHowManyRecordsAreMissing) {
    Fixture fixture;
    SentAnalyzer analyzer = fixture.analyzer();
    analyzer.add(sent_packet(0, 0));
    FlowTotals totals;
    totals.packets = 4;
    totals.bytes = 2000;
    const SentFigures figures = analyzer.figures(&totals);
    EXPECT_EQ(figures.packets, 4U);
    EXPECT_EQ(figures.bytes, 2000U);
    EXPECT_EQ(figures.records_missing, 3U);
    EXPECT_TRUE(figures.whole);
}

}  // namespace
}  // namespace groma
