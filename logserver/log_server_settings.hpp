// What can be said to a log server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "common/control/connection_gate.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/time/instant.hpp"
#include "logserver/listeners.hpp"

namespace groma {

/// When a piece that came is acknowledged.
enum class SyncPolicy : std::uint8_t {
    block,     ///< after an fsync, as soon as one is possible
    interval,  ///< after an fsync, once in a while
    close,     ///< once it is written; fsync when the log is closed
};

/// How often the server makes logs durable.
struct DurableLimits {
    Nanos durable_every = std::chrono::seconds(1);
    std::uint64_t durable_bytes = 16U << 20U;  ///< made durable earlier when so much has come
};

inline constexpr GateWords kGateWords{.daemon = "this log server",
                                      .connections = "connections",
                                      .slots_option = "groma-log --max-sessions N",
                                      .host_option = "groma-log --max-per-host N"};

struct LogServerSettings {
    ListenOptions listen;
    std::filesystem::path directory = "groma-logs";
    SyncPolicy sync = SyncPolicy::interval;
    std::size_t max_sessions = 256;
    std::optional<std::size_t> max_per_host;       ///< of the connections; nothing: the usual share
    std::size_t max_logs = 4096;                   ///< being written at a time
    std::optional<std::size_t> max_logs_per_host;  ///< of them; nothing: the usual share
    std::uint64_t max_log_bytes = 16ULL << 30U;
    std::uint64_t max_disk = std::numeric_limits<std::uint64_t>::max();  ///< of all logs together
    std::optional<std::uint64_t> reserve;   ///< to leave free on the file system; none: 1 %, at most 1 GiB
    std::optional<std::uint64_t> max_rate;  ///< bytes a second, of all connections together
    DurableLimits limits;
    LogServerTimes times;
    std::function<void(const std::string&)> report;  ///< takes lines for the operator; may be empty
};

}  // namespace groma
