// Converts a user's options to a run request, and an untrusted request to the daemon's options. Pure, except for a
// check whether the log exists.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sender/daemon/daemon_messages.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// The daemon's limits and the folders on its disk.
struct DaemonLimits {
    std::filesystem::path log_dir;  ///< empty: no logs
    std::filesystem::path spool;
    std::size_t max_flows = 100'000;
    bool reverse = false;                   ///< makes only runs in reverse, to whoever asks for them; otherwise none
    bool replace_logs = false;              ///< of earlier runs, in log_dir
    NamedLogServers log_servers{};          ///< to which runs may ship logs
    std::optional<PortRange> data_ports{};  ///< of runs in reverse; nothing: any
    Networks allow{};                       ///< where the others send; empty: to any host, and to no group
};

/// The client has read the value files of distributions; the flows hold their contents.
[[nodiscard]] RunRequest request_of(const SenderOptions& options);
/// What the log server and, unless the run is in reverse, the receivers are to be offered. Only for a daemon that
/// nobody can listen to on the way.
[[nodiscard]] std::vector<OfferedKey> keys_of(const SenderOptions& options, bool in_reverse);
[[nodiscard]] std::vector<RunFlows> flows_in_pieces(const std::vector<FlowSpec>& flows);

/// Throws: UsageError with one line per error: invalid flows, files on the daemon's disk, log names that are paths, ...
[[nodiscard]] SenderOptions options_of(const RunRequest& request, std::vector<FlowSpec> flows,
                                       const DaemonLimits& limits);

}  // namespace groma
