// The options of groma-send --daemon, and of --via, which has a run made by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/cli/mistakes.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/socket/socket_address.hpp"

namespace groma {

inline constexpr std::uint16_t kDaemonPort = 9003;

struct DaemonArguments {
    std::vector<SocketAddress> listen;  ///< all on one port; 0: the kernel chooses it
    std::size_t max_runs = 4;
    std::size_t max_flows = 100'000;  ///< in one run
    std::string log_dir;              ///< empty: no logs are kept
};

/// Returns: nothing without --daemon. What describes a run is a mistake with it, and its own options without it.
[[nodiscard]] std::optional<DaemonArguments> read_daemon(const CommandLine& line, Mistakes& mistakes);

/// Returns: the daemon that --via names, if it does. What cannot be done there is a mistake.
[[nodiscard]] std::optional<Target> read_via(const CommandLine& line, Mistakes& mistakes);

/// "groma-send 0.1.0: takes runs on 127.0.0.1:9003 (loopback only; --open for every address)".
[[nodiscard]] std::string daemon_line(const std::vector<SocketAddress>& addresses);

}  // namespace groma
