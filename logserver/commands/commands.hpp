// The commands of groma-log that look at what a server keeps: runs one, prints what it found.
#pragma once

#include "common/time/clock.hpp"
#include "logserver/log_options.hpp"

namespace groma {

/// Requires: a command other than serve, help and version. Returns: the exit status. Throws: RunError, SystemError.
[[nodiscard]] int run_command(const LogOptions& options, Clock& clock);

}  // namespace groma
