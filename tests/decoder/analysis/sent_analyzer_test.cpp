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

/// Packets 1 ms apart, sent by a clock that is set by `step` before the third; totals have them by the monotonic clock.
struct SetClock {
    Fixture fixture;
    SentAnalyzer analyzer = fixture.analyzer();
    FlowTotals totals;

    explicit SetClock(Nanos step) {
        for (std::int64_t seq = 0; seq < 5; ++seq) {
            analyzer.add(sent_packet(static_cast<std::uint64_t>(seq), seq * 1'000'000 + (seq > 1 ? step.count() : 0)));
        }
        totals.packets = 5;
        totals.bytes = 2500;
        totals.first = totals.first_due = wall_time_from_ns(kStartNs);
        totals.last = totals.last_due = wall_time_from_ns(kStartNs + 4'000'000);
    }
};

TEST(SentAnalyzer, AStepOfTheClockIsInNoRate) {
    for (const Nanos step : {Nanos(std::chrono::seconds(60)), Nanos(std::chrono::seconds(-5))}) {
        const SetClock run(step);
        const SentFigures told = run.analyzer.figures(&run.totals, true);
        EXPECT_EQ(told.fidelity.sent_pps(), 1000.0);
        EXPECT_EQ(told.fidelity.scheduled_pps(), 1000.0);
        EXPECT_EQ(told.duration, Nanos{4'000'000});
        const SentFigures torn = run.analyzer.figures(nullptr, true);
        EXPECT_FALSE(torn.fidelity.sent_pps() or torn.fidelity.scheduled_pps() or torn.duration) << "no totals";
    }
}

TEST(SentAnalyzer, TotalsByAClockThatWasSetTellNoRate) {
    SetClock run(std::chrono::seconds(60));
    run.totals.last += std::chrono::seconds(60);
    run.totals.last_due += std::chrono::seconds(60);
    const SentFigures figures = run.analyzer.figures(&run.totals, true);
    EXPECT_FALSE(figures.fidelity.sent_pps() or figures.fidelity.scheduled_pps() or figures.duration);
}

TEST(SentAnalyzer, WithoutAWordOfAStepADurationIsNeverNegative) {
    EXPECT_FALSE(SetClock(std::chrono::seconds(-5)).analyzer.figures(nullptr).duration);
}

TEST(SentAnalyzer, TotalsHaveRatesWithoutTheErrorOfReadingClocks) {
    SetClock run(Nanos{90});
    EXPECT_EQ(run.analyzer.figures(&run.totals).fidelity.scheduled_pps(), 1000.0);
    run.totals.last_due = run.totals.first_due;
    EXPECT_NE(run.analyzer.figures(&run.totals).fidelity.scheduled_pps(), std::nullopt)
        << "they contradict the records";
}

TEST(SentAnalyzer, APacketThatClocksPutBeforeTheBeginOfItsFlowBelongsToIt) {
    for (const bool together : {false, true}) {
        Fixture fixture;
        fixture.series.begin_flow_at(kSecond);
        SentAnalyzer analyzer = fixture.analyzer();
        if (not together) {
            analyzer.only({.from = kSecond});
            EXPECT_FALSE(analyzer.add(sent_packet(0, 998'999'999))) << "by more than 1 ms";
        }
        std::vector<SentRecord> records;
        for (std::uint64_t seq = 0; seq < 3; ++seq) {
            records.push_back(sent_packet(seq, 999'999'993 + static_cast<std::int64_t>(seq / 2) * 400'000'000));
        }
        if (together) {
            by_column(std::span<const SentRecord>(records), [&](const SentColumns& some) { analyzer.add(some); });
        } else {
            std::ranges::for_each(records, [&](const SentRecord& record) { analyzer.add(record); });
        }
        const SentFigures figures = analyzer.figures(nullptr);
        EXPECT_EQ(figures.packets, 3U);
        const auto rows = fixture.series.rows({.sent = true, .departures = departures_within(figures)});
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_EQ(rows[0].sent_packets, 0U);
        EXPECT_EQ(rows[0].sent_rate_pps, 0.0);
        EXPECT_EQ(rows[1].sent_packets, 3U);
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
