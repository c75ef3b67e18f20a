// `groma-log list` and `groma-log show`: the catalogue of a log server, all of it or one experiment.
#pragma once

#include <string>

#include "logserver/log_options.hpp"

namespace groma {

/// One line per log with its state, below its experiment, and one with the reason; then the server's counters.
/// Throws (both): RunError without a catalogue or such an experiment.
[[nodiscard]] std::string list_logs(const StoredLogsRequest& request);

[[nodiscard]] std::string show_experiment(const StoredLogsRequest& request);

}  // namespace groma
