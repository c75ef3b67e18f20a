// The address of a log server as users write it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// The log servers to which a program ships logs for others.
class NamedLogServers {
public:
    /// Any.
    NamedLogServers() = default;
    explicit NamedLogServers(std::vector<LogServerAddress> servers) : servers_(std::move(servers)) {}

    /// Names are compared as they are written, without regard to case; no name server is asked. Throws: UsageError, in
    /// one wording, for a server that is not among them, whatever it is.
    void require(const LogServerAddress& server) const;

private:
    std::optional<std::vector<LogServerAddress>> servers_;
};

/// Unless --log-servers is given: any; none of a program that is reached from other hosts.
[[nodiscard]] NamedLogServers usual_log_servers(bool beyond_this_host);

/// Of --log-servers.
inline constexpr const char* kLogServersValue = "HOST[:PORT],...";
inline constexpr const char* kLogServersHelp =
    "ship the logs of those who ask for it to these log servers (default port: 9001), and to no other (default: none; "
    "to any, if only programs of this host are served)";
inline constexpr const char* kLogServersMore = "Their --log-server must name one as it is written here.";

/// "HOST[:PORT],...". Throws: UsageError.
[[nodiscard]] NamedLogServers parse_log_servers(std::string_view text);

}  // namespace groma
