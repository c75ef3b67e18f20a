#include "mpi/batch/run_outcome.hpp"

#include <gtest/gtest.h>

#include "tests/sample_flow.hpp"

namespace groma {
namespace {

JobReport good_report() {
    JobReport report;
    report.whole.run_id = "ab";
    FlowReport& flow = report.whole.flows.emplace_back();
    flow.outcome.fidelity.packets = 100;
    flow.outcome.fidelity.bytes = 6400;
    set_rates(flow.outcome.fidelity, 1000, 1000);
    flow.outcome.fidelity.lateness_ns.add(1000, 100);
    ReceivedFlow received;
    received.packets = 95;
    received.bytes = 95 * 64;
    received.duplicates = 1;
    received.state = "ok";
    flow.received = received;
    return report;
}

TEST(RunOutcome, HasTheFiguresOfTheReport) {
    const RunOutcome outcome = outcome_of(good_report());
    EXPECT_EQ(outcome.state, RunState::complete) << outcome.reason;
    EXPECT_EQ(outcome.run_id, "ab");
    EXPECT_EQ(outcome.figures.number("sent_packets"), 100U);
    EXPECT_EQ(outcome.figures.number("received_packets"), 95U);
    EXPECT_EQ(outcome.figures.number("lost"), 6U);  // a copy does not make up for a lost packet
    EXPECT_EQ(outcome.figures.number("rate_error"), 0.0);
    EXPECT_EQ(outcome.figures.verdict, "as_asked");
    EXPECT_EQ(outcome.figures.number("delay_mean_ns"), std::nullopt);
}

TEST(RunOutcome, ErrorsMakeItFailAndAreItsReason) {
    JobReport report = good_report();
    report.errors = {"rank 1 (beta, on b): broke", "groma-dec ended with 1"};
    const RunOutcome outcome = outcome_of(report);
    EXPECT_EQ(outcome.state, RunState::failed);
    EXPECT_NE(outcome.reason.find("rank 1"), std::string::npos);
    EXPECT_NE(outcome.reason.find("groma-dec"), std::string::npos);
}

TEST(RunOutcome, AJobThatIsToldToEndInterruptsItsRun) {
    JobReport report = good_report();
    report.interrupted = true;
    EXPECT_EQ(outcome_of(report).state, RunState::interrupted);
    EXPECT_FALSE(outcome_of(report).reason.empty());
}

TEST(RunOutcome, LossIsUnknownWithoutTheReceiversCounts) {
    JobReport report = good_report();
    report.whole.flows.emplace_back(report.whole.flows.front()).received.reset();
    EXPECT_EQ(outcome_of(report).figures.number("lost"), std::nullopt);
}

TEST(RunOutcome, DelaysAreThoseOfTheDecodedLogs) {
    RunFigures figures;
    add_decoded(
        R"({"runs": [{"total": {"throughput_bps": 8e6, "delay_mean_ns": 5.5, "delay_p50_ns": 5, "delay_p99_ns": 9,
                                "delay_max_ns": 10}}]})",
        figures);
    EXPECT_EQ(figures.number("throughput_bps"), 8e6);
    EXPECT_EQ(figures.number("delay_mean_ns"), 5.5);
    EXPECT_EQ(figures.number("delay_p99_ns"), 9);
}

TEST(RunOutcome, WhatIsNotDecodedAddsNothing) {
    for (const char* text : {"", "{", "[]", "{\"runs\": []}", "{\"runs\": [{\"total\": {\"delay_mean_ns\": null}}]}",
                             "{\"runs\": [{\"total\": {\"delay_mean_ns\": \"x\"}}]}"}) {
        RunFigures figures;
        add_decoded(text, figures);
        EXPECT_EQ(figures, RunFigures{}) << text;
    }
}

}  // namespace
}  // namespace groma
