// A run that another host is to make: from what a user asked for to messages, and from messages, which are hostile, to
// what the daemon does. Pure but for a look whether a log of the name is there already.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sender/daemon/daemon_messages.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// What a daemon allows, and where things are on its disk.
struct DaemonLimits {
    std::filesystem::path log_dir;  ///< empty: no logs are kept
    std::filesystem::path spool;
    std::size_t max_flows = 100'000;
};

/// Files of values that its distributions name are in the flows by now: the client has read them.
[[nodiscard]] RunRequest request_of(const SenderOptions& options);
[[nodiscard]] std::vector<RunFlows> flows_in_pieces(const std::vector<FlowSpec>& flows);

/// Throws: UsageError with a line for each error: flows that cannot be, files of the daemon's disk, log names that
/// are paths, ...
[[nodiscard]] SenderOptions options_of(const RunRequest& request, std::vector<FlowSpec> flows,
                                       const DaemonLimits& limits);

}  // namespace groma
