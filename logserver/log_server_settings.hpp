// The settings of a log server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/access/key_source.hpp"
#include "common/control/audit.hpp"
#include "common/control/connection_gate.hpp"
#include "common/http/web_options.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/time/instant.hpp"
#include "logserver/listeners.hpp"

namespace groma {

/// When the server acknowledges a piece.
enum class SyncPolicy : std::uint8_t {
    block,     ///< after an fsync as soon as possible
    interval,  ///< after a periodic fsync
    close,     ///< after the write; fsync when the log is closed
};

/// How often the server makes logs durable.
struct DurableLimits {
    Nanos durable_every = std::chrono::seconds(1);
    std::uint64_t durable_bytes = 16U << 20U;  ///< syncs earlier after this many bytes
};

inline constexpr GateWords kGateWords{.daemon = "this log server",
                                      .connection = "connection",
                                      .slots_option = "groma-log --max-sessions N",
                                      .host_option = "groma-log --max-per-host N"};

struct LogServerSettings {
    ListenOptions listen;
    KeySource keys{};  ///< of those that shippers must prove one of
    std::filesystem::path directory = "groma-logs";
    SyncPolicy sync = SyncPolicy::interval;
    std::size_t max_sessions = 256;
    std::optional<std::size_t> max_per_host;       ///< connections; empty: the default share
    std::size_t max_logs = 4096;                   ///< open for writing at once
    std::optional<std::size_t> max_logs_per_host;  ///< open logs; empty: the default share
    std::uint64_t max_log_bytes = 16ULL << 30U;
    std::uint64_t max_disk = std::numeric_limits<std::uint64_t>::max();  ///< bytes of all logs together
    std::optional<std::uint64_t> reserve;   ///< bytes to leave free on the file system; empty: 1 %, at most 1 GiB
    std::optional<std::uint64_t> max_rate;  ///< bytes per second, all connections together
    DurableLimits limits;
    LogServerTimes times;
    std::function<void(const std::string&)> report;  ///< takes lines for the operator; may be empty
    Audit audit{};
    std::vector<SocketAddress> page{};     ///< where groma-log shows its experiments; empty: nowhere
    std::vector<SocketAddress> metrics{};  ///< where to answer with metrics; empty: nowhere
    WebFiles web{};                        ///< for pages that other hosts may ask for
};

}  // namespace groma
