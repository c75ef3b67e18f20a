#include "sender/options/daemon_options.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "common/access/key_source.hpp"
#include "common/control/audit.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "sender/options/option_rows.hpp"
#include "sender/options/sender_option_table.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kMostRuns = 1000;

using namespace option_use;
using option_group::kDaemon;

constexpr auto kDaemonRows = std::to_array<SenderOption>({
    {{"--daemon", ValueKind::optional, "PORT", kDaemon,
      "make the runs that groma-send --via asks for, and what it asks for of an agent (default port: 9003; 0: the "
      "kernel "
      "chooses)",
      "It makes several at once. SIGINT and SIGTERM end all runs in order; a second signal ends the program "
      "at once.",
      "--agent"},
     with_daemon},
    {{"--listen", ValueKind::required, "ADDRESS", kDaemon,
      "the address to listen on; one that is not loopback also needs --open or --open-to-anyone (default: 127.0.0.1 "
      "and "
      "::1)"},
     of_daemon},
    {{"--open", ValueKind::none, "", kDaemon,
      "with --keys: take runs from other hosts; listens on every address, or on that of --listen"},
     of_daemon},
    {{"--log-dir", ValueKind::required, "DIR", kDaemon,
      "keep the logs that runs ask for there (default: none are kept)",
      "Runs give names, never paths, and write over nothing."},
     of_daemon,
     [](SenderOptions& o, const OptionValue& v) { o.daemon.log_dir = v.text; }},
    {{"--allow", ValueKind::required, "NETWORK,...", kDaemon,
      "send only to these, such as 10.0.0.0/8,239.1.0.0/16 (default: to any host, and to no multicast group)",
      "Names are looked up first: it is the address that counts. A client's key may have narrower limits (groma-key "
      "--limits)."},
     of_daemon,
     [](SenderOptions& o, const OptionValue& v) { o.daemon.allow = parse_networks(v.text); }},
    {{"--end-with-key", ValueKind::none, "", kDaemon, kEndWithKeyHelp, kEndWithKeyMore}, of_daemon},
    {{"--log-servers", ValueKind::required, kLogServersValue, kDaemon, kLogServersHelp, kLogServersMore},
     of_daemon,
     [](SenderOptions& o, const OptionValue& v) { o.daemon.log_servers = parse_log_servers(v.text); }},
    {{"--audit", ValueKind::required, "FILE", kDaemon, kAuditHelp, kAuditMore},
     of_daemon,
     [](SenderOptions& o, const OptionValue& v) { o.daemon.audit = v.text; }},
    {{"--max-runs", ValueKind::required, "N", kDaemon, "make at most N runs at once (default: 4)"},
     of_daemon,
     [](SenderOptions& o, const OptionValue& v) { o.daemon.max_runs = parse_whole_number(v.text, 1, kMostRuns); }},
    {{"--max-flows", ValueKind::required, "N", kDaemon, "take at most N flows in one run (default: 100000)"},
     of_daemon,
     [](SenderOptions& o, const OptionValue& v) { o.daemon.max_flows = parse_whole_number(v.text, 1, kMaxFlows); }},
});

std::uint16_t parse_daemon_port(std::string_view text) {
    const bool digits =
        not text.empty() and text.size() <= 5 and text.find_first_not_of("0123456789") == std::string_view::npos;
    const int port = digits ? std::stoi(std::string(text)) : -1;
    if (port < 0 or port > 65535) {
        throw UsageError("'" + std::string(text) + "' is not a port: use a number from 0 to 65535");
    }
    return static_cast<std::uint16_t>(port);
}

std::vector<SocketAddress> listen_on(const CommandLine& line, const Reach& reach, UsageErrors& errors) {
    std::uint16_t port = kDaemonPort;
    if (line.value("--daemon")) {
        port = errors.parsed(line, "--daemon", parse_daemon_port).value_or(port);
    }
    const auto given = errors.parsed(
        line, "--listen", [&](std::string_view text) { return address_to_listen_on(text, reach, port, kDaemonCould); });
    return given ? std::vector{*given} : usual_addresses(reach, port);
}

}  // namespace

std::span<const SenderOption> daemon_option_rows() {
    return kDaemonRows;
}

bool read_daemon(const CommandLine& line, UsageErrors& errors, SenderOptions& options) {
    if (not line.has("--daemon")) {
        for (const std::string_view option : sender_options(of_daemon)) {
            if (line.has(option)) {
                errors.add(std::string(option) + " requires --daemon");
            }
        }
        return false;
    }
    for (const std::string_view option : sender_options_without(of_daemon | with_daemon)) {
        if (line.has(option)) {
            errors.add(std::string(option) + " describes a run: give it to groma-send --via, not to the daemon");
        }
    }
    const auto none = [](const std::string& /*word*/) { return false; };
    if (find_detached_values(line.detached_values(), "not expected here", none, errors) and not line.words().empty()) {
        errors.add(line.words().front() + " is an experiment: give it to groma-send --via, not to the daemon");
    }
    options.daemon.reach = read_reach([&line](const char* option) { return line.has(option); });
    if (std::string error = reach_error(options.daemon.reach); not error.empty()) {
        errors.add(std::move(error));
    }
    options.daemon.listen = listen_on(line, options.daemon.reach, errors);
    options.daemon.log_servers = usual_log_servers(options.daemon.reach.beyond_this_host());
    read_options(line, errors, options, of_daemon);
    const std::string& log_dir = options.daemon.log_dir;
    std::error_code ignored;
    if (line.has("--log-dir") and not std::filesystem::is_directory(log_dir, ignored)) {
        errors.add("--log-dir: there is no folder " + log_dir + " (make it, or name another)");
    }
    return true;
}

Target read_via(const OptionValue& via) {
    for (const std::string_view option : sender_options(not_via)) {
        if (via.line.has(option)) {
            via.errors.add(std::string(option) + " cannot be given with --via: it is not done on this host");
        }
    }
    if (via.line.has("--force")) {
        via.errors.add("--force cannot be given with --via: a daemon replaces no log");
    }
    return parse_target(via.text, kDaemonPort);
}

std::string daemon_line(const std::vector<SocketAddress>& addresses) {
    std::string text = "groma-send " GROMA_VERSION ": takes runs on ";
    for (const SocketAddress& address : addresses) {
        text.append(&address == addresses.data() ? "" : ", ").append(address.to_string());
    }
    const bool loopback = std::ranges::all_of(addresses, [](const auto& address) { return address.is_loopback(); });
    return text.append(loopback ? " (loopback only; --open with --keys for every address)" : "");
}

}  // namespace groma
