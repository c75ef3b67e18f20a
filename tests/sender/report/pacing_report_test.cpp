#include "sender/report/pacing_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/counts.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

SendReport paced_run() {
    SendReport report = faithful_run();
    report.pacing = {.threads = 2, .pinned = {0, 2, 3}, .realtime = true, .warnings = {}};
    report.usage = CpuUsage{.user = 1500ms, .system = 500ms, .voluntary_switches = 900, .involuntary_switches = 100};
    report.receivers[0].usage = CpuUsage{.user = 1ms, .system = 2ms, .voluntary_switches = 3};
    return report;
}

TEST(PacingReport, SaysHowTheThreadsWereRunAndWhatTheyCost) {
    EXPECT_EQ(pacing_text(paced_run()),
              "  sent by 2 threads on cores 0,2-3, in real time\n"
              "  CPU of the sender: 1.5 s user, 500 ms system, 1000 context switches (100 of them involuntary)\n"
              "  CPU of the receiver 10.0.0.2:9000: 1 ms user, 2 ms system, 3 context switches (0 of them "
              "involuntary)\n");
}

TEST(PacingReport, TheSwitchesOfAReceiverEndAtTheLargestCount) {
    SendReport report = faithful_run();
    report.receivers[0].usage = CpuUsage{.voluntary_switches = UINT64_MAX, .involuntary_switches = 2};
    EXPECT_NE(pacing_text(report).find(std::to_string(kLargestCount) + " context switches (2 of"), std::string::npos);
}

TEST(PacingReport, SaysWhatCouldNotBeHad) {
    SendReport report = faithful_run();
    report.pacing = {.threads = 1, .warnings = {"no real time (SCHED_FIFO): not permitted"}};
    EXPECT_EQ(pacing_text(report), "  sent by 1 thread\n  no real time (SCHED_FIFO): not permitted\n");
}

TEST(PacingReport, SaysWhichQueueLetPacketsGo) {
    SendReport report = faithful_run();
    FlowOutcome& outcome = report.flows[0].outcome;
    outcome.queue = "fq on eth0";
    outcome.fidelity.packets = 100;
    outcome.counts.held_by_kernel = 98;
    EXPECT_EQ(pacing_text(report),
              "  departure by the kernel (fq on eth0): 98 of 100 packets were handed over ahead of their times\n");
    EXPECT_EQ(departure_in_words(""), "user");
}

TEST(PacingReport, SaysNothingOfWhatIsNotKnown) {
    EXPECT_EQ(pacing_text(faithful_run()), "");
}

TEST(PacingReport, HasTheSameInJson) {
    const SendReport report = paced_run();
    EXPECT_EQ(to_json(report.pacing).dump(), R"({"threads":2,"pinned":[0,2,3],"realtime":true,"warnings":[]})");
}

}  // namespace
}  // namespace groma
