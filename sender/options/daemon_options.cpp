#include "sender/options/daemon_options.hpp"

#include <algorithm>
#include <filesystem>

#include "common/model/flow/flow_keys.hpp"
#include "sender/options/option_rows.hpp"
#include "sender/options/sender_option_table.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kMostRuns = 1000;

std::uint16_t parse_daemon_port(std::string_view text) {
    const bool digits =
        not text.empty() and text.size() <= 5 and text.find_first_not_of("0123456789") == std::string_view::npos;
    const int port = digits ? std::stoi(std::string(text)) : -1;
    if (port < 0 or port > 65535) {
        throw UsageError("'" + std::string(text) + "' is not a port: use a number from 0 to 65535");
    }
    return static_cast<std::uint16_t>(port);
}

std::vector<SocketAddress> listen_on(const CommandLine& line, Mistakes& mistakes) {
    const bool open = line.has("--open");
    std::uint16_t port = kDaemonPort;
    if (line.value("--daemon")) {
        port = mistakes.parsed(line, "--daemon", parse_daemon_port).value_or(port);
    }
    std::vector<SocketAddress> listen;
    for (const char* usual : {open ? "0.0.0.0" : "127.0.0.1", open ? "::" : "::1"}) {
        listen.push_back(SocketAddress::from_literal(usual, port));
    }
    const auto given = mistakes.parsed(line, "--listen", [&](std::string_view text) {
        const SocketAddress address = SocketAddress::from_literal(text, port);
        if (not open and not address.is_loopback()) {
            throw UsageError("'" + std::string(text) +
                             "' can be reached from other hosts, and whoever reaches it can have this host send: add "
                             "--open if that is meant");
        }
        return address;
    });
    return given ? std::vector{*given} : listen;
}

}  // namespace

std::optional<DaemonArguments> read_daemon(const CommandLine& line, Mistakes& mistakes) {
    if (not line.has("--daemon")) {
        for (const std::string_view option : sender_options(option_use::of_daemon)) {
            if (line.has(option)) {
                mistakes.add(std::string(option) + " requires --daemon");
            }
        }
        return std::nullopt;
    }
    for (const std::string_view option : sender_options_without(option_use::of_daemon | option_use::with_daemon)) {
        if (line.has(option)) {
            mistakes.add(std::string(option) + " describes a run: give it to groma-send --via, not to the daemon");
        }
    }
    const auto none = [](const std::string& /*word*/) { return false; };
    if (find_detached_values(line.detached_values(), "not expected here", none, mistakes) and
        not line.words().empty()) {
        mistakes.add(line.words().front() + " is an experiment: give it to groma-send --via, not to the daemon");
    }
    DaemonArguments daemon;
    daemon.listen = listen_on(line, mistakes);
    daemon.max_runs = mistakes.number(line, "--max-runs", 1, kMostRuns).value_or(daemon.max_runs);
    daemon.max_flows = mistakes.number(line, "--max-flows", 1, kMaxFlows).value_or(daemon.max_flows);
    daemon.log_dir = line.value("--log-dir").value_or("");
    std::error_code ignored;
    if (line.has("--log-dir") and not std::filesystem::is_directory(daemon.log_dir, ignored)) {
        mistakes.add("--log-dir: there is no folder " + daemon.log_dir + " (make it, or name another)");
    }
    return daemon;
}

std::optional<Target> read_via(const CommandLine& line, Mistakes& mistakes) {
    if (not line.has("--via")) {
        return std::nullopt;
    }
    for (const std::string_view option : sender_options(option_use::not_via)) {
        if (line.has(option)) {
            mistakes.add(std::string(option) + " cannot be given with --via: it is not done on this host");
        }
    }
    if (line.has("--force")) {
        mistakes.add("--force cannot be given with --via: a daemon replaces no log");
    }
    return mistakes.parsed(line, "--via", [](std::string_view text) { return parse_target(text, kDaemonPort); });
}

std::string daemon_line(const std::vector<SocketAddress>& addresses) {
    std::string text = "groma-send " GROMA_VERSION ": takes runs on ";
    for (const SocketAddress& address : addresses) {
        text.append(&address == addresses.data() ? "" : ", ").append(address.to_string());
    }
    const bool loopback = std::ranges::all_of(addresses, [](const auto& address) { return address.is_loopback(); });
    return text.append(loopback ? " (loopback only; --open for every address)" : "");
}

}  // namespace groma
