// groma-send's main action: makes the run, here or by a daemon on another host, and prints its report.
#pragma once

#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Returns: the exit status. Throws: RunError, SystemError when the run cannot begin.
[[nodiscard]] int run_command(SenderOptions options, Clock& clock);

}  // namespace groma
