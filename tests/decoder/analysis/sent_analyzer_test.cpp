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

TEST(SentAnalyzer, WithSkippedDeparturesOfWhichItIsUnknownWhenTheyWereDueTheAskedRateIsUnknown) {
    Fixture fixture;
    FlowTotals totals;
    totals.packets = 3;
    for (const LatenessPolicy policy : {LatenessPolicy::catch_up, LatenessPolicy::skip}) {
        fixture.spec.lateness = policy;
        for (const bool selected : {false, true}) {
            for (const std::uint64_t skipped : {0U, 5U}) {
                SentAnalyzer analyzer = fixture.analyzer();
                if (selected) {
                    analyzer.only({.from = Nanos{0}});
                }
                for (const std::uint64_t seq : {0U, 1U, 2U}) {
                    analyzer.add(sent_packet(seq, static_cast<std::int64_t>(seq) * 1000));
                }
                totals.counters = {{"missed_slots", skipped}};
                const SentFigures figures = analyzer.figures(&totals);
                const bool skips = policy == LatenessPolicy::skip;
                EXPECT_EQ(figures.fidelity.scheduled_pps().has_value(), not(skips and selected and skipped > 0));
                EXPECT_EQ(figures.all_due_left, skipped == 0 or (selected and not skips));
                EXPECT_EQ(analyzer.figures(nullptr).fidelity.scheduled_pps().has_value(), not skips) << "torn";
                EXPECT_EQ(analyzer.figures(nullptr).all_due_left, not skips);
            }
        }
    }
}

TEST(SentAnalyzer, AllThatWasDueLeftOnlyIfTheHostRefusedNone) {
    Fixture fixture;
    SentAnalyzer analyzer = fixture.analyzer();
    analyzer.add(sent_packet(0, 0));
    FlowTotals totals;
    totals.packets = 1;
    EXPECT_TRUE(analyzer.figures(&totals).all_due_left);
    for (const char* const counter :
         {"dropped", "too_big", "given_up", "missed_in_queue", "unsent_between", "ended_early"}) {
        totals.counters = {{counter, 1}};
        EXPECT_FALSE(analyzer.figures(&totals).all_due_left) << counter;
    }
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
