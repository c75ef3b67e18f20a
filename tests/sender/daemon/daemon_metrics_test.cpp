#include "sender/daemon/daemon_metrics.hpp"

#include "tests/metric_page.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

TEST(DaemonMetrics, AreOnThePage) {
    expect_on_page("groma-send --daemon", daemon_metrics(), GROMA_TEST_DATA);
}

TEST(DaemonMetrics, AddUpEndedRuns) {
    SendReport report = faithful_run({"one", "two"});
    for (FlowReport& flow : report.flows) {
        flow.outcome.fidelity.late_packets = 3;
        flow.outcome.fidelity.lateness_ns = LogHistogram();
        flow.outcome.fidelity.lateness_ns.add(30'000, 7);
        flow.outcome.counts.dropped = 4;
        flow.outcome.counts.missed_slots = 1;
        flow.outcome.round_trip.reset();
    }
    report.flows[1].outcome.round_trip.emplace().rtt_ns.add(300'000, 5);
    EndedRuns run;
    run.add(report);
    ++run.complete;
    DaemonCounts counts{.runs = 3, .refused_room = 1};
    counts.ended.add(run);
    counts.ended.add(run);
    Exposition exposition(ExpositionFormat::open_metrics);
    exposition.add(daemon_metrics(), {.counts = counts, .open_runs = 1, .spool_bytes = 10, .spool_max_bytes = 20});
    const std::string text = exposition.take();
    for (const char* const line :
         {"groma_daemon_runs_total 3\n", "groma_daemon_open_runs 1\n",
          "groma_daemon_refused_runs_total{cause=\"room\"} 1\n", "groma_daemon_ended_runs_total{end=\"complete\"} 2\n",
          "groma_daemon_ended_runs_total{end=\"failed\"} 0\n", "groma_daemon_late_packets_total 12\n",
          "groma_daemon_unsent_packets_total 20\n", "groma_daemon_lateness_seconds_bucket{le=\"2e-05\"} 0\n",
          "groma_daemon_lateness_seconds_bucket{le=\"5e-05\"} 28\n",
          "groma_daemon_round_trip_seconds_bucket{le=\"0.0002\"} 0\n",
          "groma_daemon_round_trip_seconds_bucket{le=\"0.0005\"} 10\n", "groma_daemon_spool_bytes 10\n",
          "groma_daemon_spool_max_bytes 20\n"}) {
        EXPECT_THAT(text, HasSubstr(line));
    }
}

}  // namespace
}  // namespace groma
