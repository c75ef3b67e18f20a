// The transports to a log server.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace groma {

enum class LogTransport : std::uint8_t { tcp, udp, mpi };

/// "tcp", "udp", "mpi"; empty for any other.
[[nodiscard]] std::optional<LogTransport> parse_log_transport(std::string_view text);
[[nodiscard]] std::string_view to_string(LogTransport transport);

}  // namespace groma
