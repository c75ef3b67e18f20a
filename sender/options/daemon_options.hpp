// The options of groma-send --daemon, and of --via, which has a run made by one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/control/reach.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/socket/networks.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "sender/options/option_rows.hpp"

namespace groma {

inline constexpr std::uint16_t kDaemonPort = 9003;

/// --keys: the only key is on standard input, and the daemon ends with it.
inline constexpr std::string_view kKeysOnInput = "-";

inline constexpr std::string_view kDaemonCould = "have this host send";

struct DaemonArguments {
    Reach reach;
    std::vector<SocketAddress> listen;  ///< all on one port; 0: the kernel chooses it
    std::size_t max_runs = 4;
    std::size_t max_flows = 100'000;  ///< in one run
    std::string log_dir;              ///< empty: no logs are kept
    std::string audit;                ///< file; empty: none
    Networks allow{};                 ///< where runs may send; empty: to any host
    NamedLogServers log_servers{};    ///< to which they may ship logs
};

[[nodiscard]] std::span<const SenderOption> daemon_option_rows();

/// Returns: whether there is --daemon. What describes a run is an error with it, and its own options without it.
[[nodiscard]] bool read_daemon(const CommandLine& line, UsageErrors& errors, SenderOptions& options);

/// Returns: the daemon that --via names. What cannot be done there is an error. Throws: UsageError.
[[nodiscard]] Target read_via(const OptionValue& via);

/// "groma-send 0.1.0: takes runs on 127.0.0.1:9003 (loopback only; --open with --keys for every address)".
[[nodiscard]] std::string daemon_line(const std::vector<SocketAddress>& addresses);

}  // namespace groma
