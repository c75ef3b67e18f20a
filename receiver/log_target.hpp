// Decides where a session's log goes, from the sender's request. A name from the network never becomes a path.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/access/access_key.hpp"
#include "common/control/messages.hpp"
#include "common/log/log_sink.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/shipping/shipper/key_logs.hpp"
#include "common/shipping/shipper/log_shipper.hpp"

namespace groma {

inline constexpr std::size_t kLongestLogFileName = 200;

/// Checks `name` as a file name in the receiver's log folder. Returns: a sentence with advice; empty: valid. Refuses
/// paths, a leading '.', control characters, characters that change the text direction, and names that are too long.
[[nodiscard]] std::optional<std::string> log_file_name_error(std::string_view name);

struct LogTarget {
    std::filesystem::path file;  ///< absolute; empty: none
    bool replaces = false;       ///< overwrites a log of an earlier run
    bool discarded = false;      ///< the file is not kept
    bool offered = false;        ///< to the sender, which fetches the file after the run
    std::optional<LogServerAddress> server;
    LogTransport transport = LogTransport::tcp;  ///< mpi: shipped without an address
    std::string folder_on_server;                ///< the run's folder
    std::string name_on_server;
    std::string asked_by{};               ///< the peer's host
    std::optional<Grant> key{};           ///< that the peer has proved, with its limits; nothing: none
    std::shared_ptr<KeyLogs> key_logs{};  ///< with `key`; null: nothing is limited

    [[nodiscard]] bool shipped() const { return server.has_value() or transport == LogTransport::mpi; }
    [[nodiscard]] bool none() const { return file.empty() and not shipped(); }
};

/// The receiver's settings for logs.
struct LogPlace {
    std::filesystem::path folder;  ///< its --log-dir
    std::string host;
    bool replace_logs = false;            ///< senders may replace logs of earlier runs
    std::filesystem::path spool{};        ///< no log may use this path
    NamedLogServers servers{};            ///< to which logs may be shipped
    std::shared_ptr<KeyLogs> key_logs{};  ///< as in LogTarget
};

/// `reached_at`: the local address that the sender called. It distinguishes receivers with the same host name, such as
/// in network namespaces of one machine. Throws: UsageError with advice for an invalid request.
[[nodiscard]] LogTarget log_target(const Start& start, const Hello& hello, const LogPlace& place,
                                   const SocketAddress& reached_at);

struct OpenedLog {
    std::unique_ptr<LogSink> sink;
    const ShippedLog* shipped = nullptr;  ///< points into the sink; null: not shipped
};

class LogShippers;

/// Opens the file, the connection to the log server, or both. Blocks. Requires: not none().
/// Throws: as open_named_file_sink(), so that a sender can replace only logs; SystemError, ProtocolError and RunError
/// as the sinks do.
[[nodiscard]] OpenedLog open_log_target(const LogTarget& target, LogShippers& shippers);

}  // namespace groma
