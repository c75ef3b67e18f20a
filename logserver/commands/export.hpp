// `groma-log export`: copies an experiment's logs, with a manifest that says what they are.
#pragma once

#include "common/time/instant.hpp"
#include "logserver/log_options.hpp"

namespace groma {

/// Writes EXPERIMENT/NAME.glog (.part when it is incomplete) and EXPERIMENT/manifest.json to a tar file, when the
/// output's name ends in ".tar", or NAME.glog and manifest.json into a folder that is not there yet. Of a log that is
/// being written, what is acknowledged. Returns: how many logs.
/// Throws: RunError when a log is not what the catalogue says (and leaves nothing behind), SystemError.
std::size_t export_experiment(const StoredLogsRequest& request, WallTime now);

}  // namespace groma
