// `groma-log verify`: reads stored logs and compares them with the catalogue.
#pragma once

#include <string>
#include <vector>

#include "logserver/log_options.hpp"

namespace groma {

struct Verification {
    std::size_t logs = 0;               ///< that were read
    std::vector<std::string> warnings;  ///< incomplete logs, and why: not wrong
    std::vector<std::string> errors;    ///< a sentence for everything that is wrong
};

/// Every log of the experiments asked for, or of all: its length, its hash, and the checksum of each block; and files
/// that the catalogue does not know. Throws: RunError when there is no catalogue or no such experiment.
[[nodiscard]] Verification verify_logs(const StoredLogsRequest& request);

}  // namespace groma
