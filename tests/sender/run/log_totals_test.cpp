#include "sender/run/log_totals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr WallTime kEnd = wall_time_from_ns(1'700'000'010'000'000'000);

TEST(SendersLogTotals, CountWhatWasSentAndWhatOfItIsInTheLog) {
    SendReport report = faithful_run();
    report.flows[0].outcome.counts.records_lost = 4;
    report.flows[0].outcome.draws.gaps_raised = 9;
    const LogTotals totals = log_totals(report, kEnd);
    ASSERT_EQ(totals.flows.size(), 1U);
    EXPECT_EQ(totals.end, "complete");
    EXPECT_EQ(totals.ended_at, kEnd);
    EXPECT_EQ(totals.flows[0].packets, 10'000U);
    EXPECT_EQ(totals.flows[0].records, 9'996U);
    EXPECT_EQ(totals.flows[0].records_lost, 4U);
    EXPECT_THAT(totals.flows[0].counters, Contains(Pair("gaps_raised", 9)));
}

TEST(SendersLogTotals, SayHowTheRunEnded) {
    SendReport report = faithful_run();
    report.receivers[0].lost = "the receiver at 10.0.0.2:9000 was silent for 4 s";
    EXPECT_EQ(log_totals(report, kEnd).end, "peer lost: the receiver at 10.0.0.2:9000 was silent for 4 s");
    report.interrupted = true;
    EXPECT_EQ(log_totals(report, kEnd).end, "interrupted");
}

TEST(SendersLogTotals, AGoodFlowIsNoEvent) {
    EXPECT_THAT(events_of_flows(faithful_run({"a", "b"}), kEnd), IsEmpty());
}

TEST(SendersLogTotals, WhatAReaderOfTheLogMustKnowIsAnEvent) {
    SendReport report = faithful_run();
    FlowOutcome& outcome = report.flows[0].outcome;
    outcome.counts.end = FlowEnd::failed;
    outcome.error = "reset";
    outcome.counts.cut_short = true;
    outcome.counts.dropped = 3;
    outcome.counts.records_lost = 2;
    EXPECT_THAT(events_of_flows(report, kEnd),
                ElementsAre(Field(&LogEvent::kind, "flow-failed"), Field(&LogEvent::kind, "cut-short"),
                            Field(&LogEvent::text, HasSubstr("3 packets")), Field(&LogEvent::kind, "records-lost")));
}

TEST(SendersLogTotals, HaveTheSendersOwnError) {
    SendReport report = faithful_run();
    Fidelity& fidelity = report.flows[0].outcome.fidelity;
    fidelity.gap_error_ns.add(500, 9'999);
    fidelity.behind = Nanos(20'000'000);
    fidelity.fit = DistributionFit{.gaps = 9'999, .bins = 64, .lambda2 = 0.25, .a2 = 3};
    const auto figures = log_totals(report, kEnd).flows.at(0).figures;
    EXPECT_THAT(figures, Contains(Pair("lateness_p99_ns", 2000)));
    EXPECT_THAT(figures, Contains(Pair("gap_error_p50_ns", 500)));
    EXPECT_THAT(figures, Contains(Pair("behind_s", 0.02)));
    EXPECT_THAT(figures, Contains(Pair("lambda2", 0.25)));
}

TEST(SendersLogTotals, LeaveOutWhatIsUnknown) {
    SendReport report = faithful_run();
    report.flows[0].outcome.fidelity = {};
    EXPECT_THAT(log_totals(report, kEnd).flows.at(0).figures, IsEmpty());
}

}  // namespace
}  // namespace groma
