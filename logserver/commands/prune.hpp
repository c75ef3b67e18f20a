// `groma-log prune`: deletes the logs of experiments; a server may be running.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/time/instant.hpp"
#include "logserver/log_options.hpp"

namespace groma {

struct Pruning {
    std::vector<std::string> deleted;  ///< "EXPERIMENT/NAME"; in a dry run, those to delete
    std::vector<std::string> kept;     ///< requested, but being written
    std::uint64_t bytes = 0;           ///< size of the deleted logs
};

/// Deletes the requested experiments, those unchanged for `older_than`, or with both the requested ones that are
/// unchanged. Throws: RunError, SystemError.
[[nodiscard]] Pruning prune_logs(const StoredLogsRequest& request, WallTime now);

}  // namespace groma
