#include "common/shipping/protocol/log_server_address.hpp"

#include <algorithm>
#include <charconv>

#include "common/access/access_key.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kShown = 300;  // no name of a host is longer

[[noreturn]] void refuse_address(std::string_view text, const std::string& why) {
    throw UsageError("log server '" + std::string(text) + "': " + why + "; write HOST, HOST:PORT or [IPV6]:PORT");
}

std::uint16_t parse_port(std::string_view text, std::string_view digits) {
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc{} or end != digits.data() + digits.size() or port == 0) {
        refuse_address(text, "'" + std::string(digits) + "' is not a port (1 to 65535)");
    }
    return port;
}

/// Of "fe80::1%eth0".
std::string_view interface_of(std::string_view host) {
    const std::size_t percent = host.find('%');
    return percent == std::string_view::npos ? std::string_view() : host.substr(percent);
}

}  // namespace

LogServerAddress parse_log_server(std::string_view text) {
    LogServerAddress server;
    std::string_view host = text;
    std::string_view rest;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == std::string_view::npos) {
            refuse_address(text, "']' is missing");
        }
        host = text.substr(1, end - 1);
        rest = text.substr(end + 1);
    } else if (std::ranges::count(text, ':') == 1) {
        host = text.substr(0, text.find(':'));
        rest = text.substr(host.size());
    }
    if (host.empty()) {
        refuse_address(text, "there is no host in it");
    }
    if (not rest.empty()) {
        if (rest.front() != ':') {
            refuse_address(text, "'" + std::string(rest) + "' is not a port");
        }
        server.port = parse_port(text, rest.substr(1));
    }
    server.host = host;
    return server;
}

void NamedLogServers::require(const LogServerAddress& server) const {
    const auto is_it = [&server](const LogServerAddress& named) {
        return named.port == server.port and host_label(named.host) == host_label(server.host) and
               interface_of(named.host) == interface_of(server.host);
    };
    if (servers_ and std::ranges::none_of(*servers_, is_it)) {
        throw UsageError("this host ships no logs to " + plain_text(to_string(server), kShown) +
                         ", only to the log servers that its own command line names (--log-servers HOST[:PORT],...)");
    }
}

NamedLogServers usual_log_servers(bool beyond_this_host) {
    return beyond_this_host ? NamedLogServers(std::vector<LogServerAddress>()) : NamedLogServers();
}

NamedLogServers parse_log_servers(std::string_view text) {
    std::vector<LogServerAddress> servers;
    while (true) {
        const std::string_view one = text.substr(0, text.find(','));
        static_cast<void>(host_label(servers.emplace_back(parse_log_server(one)).host));
        if (one.size() == text.size()) {
            return NamedLogServers(std::move(servers));
        }
        text.remove_prefix(one.size() + 1);
    }
}

std::string to_string(const LogServerAddress& server) {
    const bool v6 = server.host.find(':') != std::string::npos;
    return (v6 ? '[' + server.host + ']' : server.host) + ':' + std::to_string(server.port);
}

}  // namespace groma
