#include "sender/daemon/daemon_metrics.hpp"

#include <array>

#include "common/metrics/exposition.hpp"

namespace groma {

namespace {

constexpr auto kDaemonMetrics = std::to_array<MetricRow<WatchedDaemon>>({
    {{"groma_daemon_runs", MetricType::counter, "", "Runs that have begun."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.counts.runs); }},
    {{"groma_daemon_open_runs", MetricType::gauge, "", "Runs that are being made now."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(std::uint64_t{daemon.open_runs}); }},
    {{"groma_daemon_refused_runs",
      MetricType::counter,
      "",
      "Runs that were refused: for lack of `room`, of a `key`, or because their `request` cannot or may not be met.",
      {"cause"}},
     [](const WatchedDaemon& daemon, MetricSamples& samples) {
         samples.add(daemon.counts.refused_room, {"room"});
         samples.add(daemon.turned_away, {"key"});
         samples.add(daemon.counts.refused_request, {"request"});
     }},
    {{"groma_daemon_ended_runs",
      MetricType::counter,
      "",
      "Runs that are over: `complete`, or `failed`, as groma-send would end with the status 0 or another.",
      {"end"}},
     [](const WatchedDaemon& daemon, MetricSamples& samples) {
         samples.add(daemon.counts.ended.complete, {"complete"});
         samples.add(daemon.counts.ended.failed, {"failed"});
     }},
    {{"groma_daemon_late_packets", MetricType::counter, "",
      "Packets of ended runs that left late by more than a tenth of the gap before them."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.counts.ended.late_packets); }},
    {{"groma_daemon_unsent_packets", MetricType::counter, "",
      "Packets of ended runs that this host or the path did not take, or that were too late to be sent."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.counts.ended.unsent_packets); }},
    {{"groma_daemon_lateness_seconds", MetricType::histogram, "seconds",
      "How late packets of ended runs left; not of those that left early, or had no schedule."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.counts.ended.lateness); }},
    {{"groma_daemon_round_trip_seconds", MetricType::histogram, "seconds",
      "Round trips of ended runs, with the round-trip meter."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.counts.ended.round_trips); }},
    {{"groma_daemon_spool_bytes", MetricType::gauge, "bytes",
      "Disk that logs take until a log server has confirmed them."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.spool_bytes); }},
    {{"groma_daemon_spool_max_bytes", MetricType::gauge, "bytes", "What they may take."},
     [](const WatchedDaemon& daemon, MetricSamples& samples) { samples.add(daemon.spool_max_bytes); }},
});

}  // namespace

void EndedRuns::add(const SendReport& report) {
    for (const FlowReport& flow : report.flows) {
        const FlowOutcome& outcome = flow.outcome;
        late_packets += outcome.fidelity.late_packets;
        unsent_packets += outcome.counts.unsent() + outcome.counts.missed_slots;
        lateness.add(outcome.fidelity.lateness_ns);
        if (outcome.round_trip) {
            round_trips.add(outcome.round_trip->rtt_ns);
        }
    }
}

void EndedRuns::add(const EndedRuns& more) {
    complete += more.complete;
    failed += more.failed;
    late_packets += more.late_packets;
    unsent_packets += more.unsent_packets;
    lateness.add(more.lateness);
    round_trips.add(more.round_trips);
}

std::span<const MetricRow<WatchedDaemon>> daemon_metrics() {
    return kDaemonMetrics;
}

}  // namespace groma
