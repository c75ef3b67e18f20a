// `groma-log verify`: reads stored logs and compares them with the catalogue.
#pragma once

#include <string>
#include <vector>

#include "logserver/log_options.hpp"

namespace groma {

struct Verification {
    std::size_t logs = 0;               ///< number of logs read
    std::vector<std::string> warnings;  ///< incomplete logs with reasons: not errors
    std::vector<std::string> errors;    ///< one sentence per error
};

/// Verifies each log of the requested experiments, or of all: its length, its hash and the checksum of each block. Also
/// finds files that are not in the catalogue. Throws: RunError without a catalogue or such an experiment.
[[nodiscard]] Verification verify_logs(const StoredLogsRequest& request);

}  // namespace groma
