// `groma-log export`: copies an experiment's logs with a manifest that describes them.
#pragma once

#include "common/time/instant.hpp"
#include "logserver/log_options.hpp"

namespace groma {

/// If the output's name ends in ".tar", writes EXPERIMENT/NAME.glog (.part if incomplete) and EXPERIMENT/manifest.json
/// to a tar file; else NAME.glog and manifest.json to a new folder. Exports the acknowledged part of a log that is
/// being written. Returns: the number of logs.
/// Throws: RunError if a log does not match the catalogue (and removes the output), SystemError.
std::size_t export_experiment(const StoredLogsRequest& request, WallTime now);

}  // namespace groma
