// A log that is shipped to a log server over TCP (docs/log-protocol.md). What it is handed is kept in memory until the
// server has acknowledged that it is on its disk; a connection that breaks is made again and goes on where the server
// says. A thread of its own does the shipping: append() copies and returns, and blocks only while the memory is full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "common/log/log_sink.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct LogServerAddress {
    std::string host;
    std::uint16_t port = 9001;
    bool operator==(const LogServerAddress&) const = default;
};

/// "HOST", "HOST:PORT", "[V6]:PORT". Throws: UsageError.
[[nodiscard]] LogServerAddress parse_log_server(std::string_view text);

/// How much a sink keeps and how long it tries.
struct ShippingLimits {
    std::size_t window_bytes = 64U << 20U;      ///< of pieces that the server has not acknowledged
    Nanos connect = std::chrono::seconds(5);    ///< for one attempt, its greeting included
    Nanos patience = std::chrono::seconds(30);  ///< without any acknowledgement while there is something to ship
    Nanos first_pause = std::chrono::milliseconds(50);  ///< between attempts; doubled each time
    Nanos longest_pause = std::chrono::seconds(2);
};

/// Connects and opens the log `name` ("sender", "receiver-b", ...) of the experiment directory `experiment` on the
/// server (see experiment_folder() in common/log/log_name.hpp). The log's file there is `name`.glog.
/// Throws: SystemError, or ProtocolError with the server's reason when it refuses. Later, append() and close() throw
/// ProtocolError when the server refused or the patience ended; what it had acknowledged is on its disk.
[[nodiscard]] std::unique_ptr<LogSink> open_tcp_log_sink(const LogServerAddress& server, const std::string& experiment,
                                                         const std::string& name, const ShippingLimits& limits = {});

}  // namespace groma
