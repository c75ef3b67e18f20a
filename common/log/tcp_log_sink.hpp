// A log that is shipped to a log server over TCP (docs/log-protocol.md). What it is handed is kept until the server
// has acknowledged it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "common/log/log_sink.hpp"

namespace groma {

struct LogServerAddress {
    std::string host;
    std::uint16_t port = 9001;
};

/// "HOST", "HOST:PORT", "[V6]:PORT". Throws: UsageError.
[[nodiscard]] LogServerAddress parse_log_server(std::string_view text);

/// Connects and opens the log `name` ("sender", "receiver-b", ...) of the experiment directory `experiment` on the
/// server. Throws: SystemError, or ProtocolError with the server's reason when it refuses.
[[nodiscard]] std::unique_ptr<LogSink> open_tcp_log_sink(const LogServerAddress& server, const std::string& experiment,
                                                         const std::string& name);

}  // namespace groma
