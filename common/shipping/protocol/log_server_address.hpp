// The address of a log server as users write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace groma {

struct LogServerAddress {
    std::string host;
    std::uint16_t port = 9001;
    bool operator==(const LogServerAddress&) const = default;
};

/// "HOST", "HOST:PORT", "[V6]:PORT". Throws: UsageError.
[[nodiscard]] LogServerAddress parse_log_server(std::string_view text);

/// "HOST:PORT", "[V6]:PORT": what parse_log_server() reads.
[[nodiscard]] std::string to_string(const LogServerAddress& server);

}  // namespace groma
