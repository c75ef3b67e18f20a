// The metrics of groma-log, a row each (docs/reference/openmetrics.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/metrics/metric_row.hpp"
#include "logserver/server_counters.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/udp_listener.hpp"

namespace groma {

/// Why the server takes nothing now. More than one may be true.
struct HoldsNow {
    bool room = false;     ///< no room for logs at all
    bool failure = false;  ///< logs could not be made durable
    std::size_t keys = 0;  ///< keys whose limit is reached
};

/// A log server at the time of a scrape.
struct WatchedLogServer {
    ServerCounters counters{};
    std::size_t conversations = 0;
    std::size_t open_logs = 0;
    std::optional<LogsByState> catalogue{};  ///< nothing: it could not be read
    std::uint64_t kept_bytes = 0;
    std::uint64_t room_bytes = 0;
    std::uint64_t not_durable_bytes = 0;
    HoldsNow holds{};
    std::optional<UdpCarrierCounts> udp{};  ///< nothing: it takes none
};

[[nodiscard]] std::span<const MetricRow<WatchedLogServer>> log_server_metrics();

}  // namespace groma
