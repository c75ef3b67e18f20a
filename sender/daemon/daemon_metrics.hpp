// The metrics of groma-send --daemon beside those of what it sends, a row each (docs/reference/openmetrics.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/metrics/metric_row.hpp"
#include "common/metrics/time_histogram.hpp"
#include "sender/report/run_report.hpp"
#include "sender/run/live_run.hpp"

namespace groma {

/// What is known of runs when they are over.
struct EndedRuns {
    std::uint64_t complete = 0;
    std::uint64_t failed = 0;
    std::uint64_t late_packets = 0;
    std::uint64_t unsent_packets = 0;
    TimeHistogram lateness{};
    TimeHistogram round_trips{};

    void add(const SendReport& report);
    void add(const EndedRuns& more);
};

/// Since the daemon's start.
struct DaemonCounts {
    std::uint64_t runs = 0;
    std::uint64_t refused_room = 0;     ///< as many runs, or connections, as there may be
    std::uint64_t refused_request = 0;  ///< what was asked for, or how, or what the key allows
    SentSoFar sent{};                   ///< by runs that have ended
    EndedRuns ended{};
};

/// A daemon at the time of a scrape.
struct WatchedDaemon {
    const DaemonCounts& counts;
    std::size_t open_runs = 0;
    std::uint64_t turned_away = 0;  ///< connections that lacked a key
    std::uint64_t spool_bytes = 0;  ///< on the disk
    std::uint64_t spool_max_bytes = 0;
};

[[nodiscard]] std::span<const MetricRow<WatchedDaemon>> daemon_metrics();

}  // namespace groma
