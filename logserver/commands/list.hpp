// `groma-log list` and `groma-log show`: the catalogue of a log server, all of it or one experiment.
#pragma once

#include <string>

#include "logserver/log_options.hpp"

namespace groma {

/// A line for each log, complete or not, with the reason; below, what the server has counted.
/// Throws (both): RunError when there is no catalogue or no such experiment.
[[nodiscard]] std::string list_logs(const StoredLogsRequest& request);

[[nodiscard]] std::string show_experiment(const StoredLogsRequest& request);

}  // namespace groma
