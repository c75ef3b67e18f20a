// groma-send --daemon: makes the runs that groma-send --via asks for.
#pragma once

#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Thread: blocks its caller's until a signal stops the daemon. Returns: the exit status.
[[nodiscard]] int daemon_command(const SenderOptions& options, Clock& clock);

}  // namespace groma
