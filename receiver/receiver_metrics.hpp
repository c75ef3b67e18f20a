// The metrics of groma-recv, a row each (docs/reference/openmetrics.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/control/messages.hpp"
#include "common/metrics/metric_row.hpp"
#include "common/metrics/time_histogram.hpp"
#include "receiver/flow_loss.hpp"
#include "receiver/live_meter.hpp"

namespace groma {

/// Since the receiver's start. What is of runs is of those that have ended.
struct ReceiverCounts {
    std::uint64_t sessions = 0;
    std::uint64_t refused_room = 0;     ///< all sessions, or those of a host, were taken
    std::uint64_t refused_limit = 0;    ///< the key's limits
    std::uint64_t refused_request = 0;  ///< what was asked for, or how
    std::uint64_t runs = 0;             ///< that have begun
    ReceivedFlow flows{};               ///< its counts are the sums of all flows'
    std::uint64_t lost = 0;             ///< packets that senders sent and that did not come
    std::uint64_t log_bytes = 0;
    std::uint64_t failed_logs = 0;
    TimeHistogram delays{};

    void add(const ReceiverResults& results);
    void add(const std::vector<FlowLoss>& losses);
};

/// A receiver at the time of a scrape.
struct WatchedReceiver {
    const ReceiverCounts& counts;
    LiveTotals totals;                  ///< without `each_flow`
    std::uint64_t turned_away = 0;      ///< connections that lacked a key
    std::uint64_t spool_bytes = 0;      ///< on the disk
    std::uint64_t spool_max_bytes = 0;  ///< --spool-limit
};

[[nodiscard]] std::span<const MetricRow<WatchedReceiver>> receiver_metrics();

}  // namespace groma
