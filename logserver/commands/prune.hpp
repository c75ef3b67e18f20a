// `groma-log prune`: deletes the logs of experiments, while a server may be running.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/time/instant.hpp"
#include "logserver/log_options.hpp"

namespace groma {

struct Pruning {
    std::vector<std::string> deleted;  ///< or, in a dry run, to be deleted: "EXPERIMENT/NAME"
    std::vector<std::string> kept;     ///< asked for, but being written
    std::uint64_t bytes = 0;           ///< of what was deleted
};

/// The experiments that were asked for, or those that have not changed for so long, or those of the former that have
/// not. Throws: RunError, SystemError.
[[nodiscard]] Pruning prune_logs(const StoredLogsRequest& request, WallTime now);

}  // namespace groma
