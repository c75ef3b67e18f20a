// Where a session's log goes, decided from what the sender asked for: a name from the network never becomes a path.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "common/control/messages.hpp"
#include "common/log/log_sink.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/shipping/shipper/log_shipper.hpp"

namespace groma {

inline constexpr std::size_t kLongestLogFileName = 200;

/// Returns: what is wrong with `name` as the name of a file in the receiver's log folder, as a sentence with advice;
/// nothing when all is well. Refused are: paths, a leading '.', control characters, those that set the direction of
/// writing, and names that are too long.
[[nodiscard]] std::optional<std::string> log_file_name_error(std::string_view name);

struct LogTarget {
    std::filesystem::path file;  ///< absolute; empty: none
    bool replaces = false;       ///< one of an earlier run that is there
    bool discarded = false;      ///< the file is not kept
    std::optional<LogServerAddress> server;
    LogTransport transport = LogTransport::tcp;  ///< mpi: it is shipped without an address
    std::string folder_on_server;                ///< of the run
    std::string name_on_server;
    std::string asked_by{};  ///< the peer's host

    [[nodiscard]] bool shipped() const { return server.has_value() or transport == LogTransport::mpi; }
    [[nodiscard]] bool none() const { return file.empty() and not shipped(); }
};

/// What a receiver knows when it decides on a log.
struct LogPlace {
    std::filesystem::path folder;  ///< its --log-dir
    std::string host;
    bool replace_logs = false;      ///< senders may have logs of earlier runs replaced
    std::filesystem::path spool{};  ///< whose place no log takes
};

/// `reached_at` is the address that the sender called: it tells receivers apart whose hosts have one name, such as the
/// network namespaces of one machine. Throws: UsageError with what a person can do when the sender asked for what
/// cannot be.
[[nodiscard]] LogTarget log_target(const Start& start, const Hello& hello, const LogPlace& place,
                                   const SocketAddress& reached_at);

struct OpenedLog {
    std::unique_ptr<LogSink> sink;
    const ShippedLog* shipped = nullptr;  ///< within the sink; null: it is not shipped
};

class LogShippers;

/// Opens the file, the connection to the log server, or both. Blocks. Requires: not none().
/// Throws: as open_named_file_sink(), so that a sender cannot replace other files than logs; SystemError, ProtocolError
/// and RunError as the sinks do.
[[nodiscard]] OpenedLog open_log_target(const LogTarget& target, LogShippers& shippers);

}  // namespace groma
