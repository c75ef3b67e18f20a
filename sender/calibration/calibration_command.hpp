// groma-send --calibrate: measures a pair of hosts and prints their data sheet.
#pragma once

#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Returns: the exit status.
[[nodiscard]] int calibration_command(const SenderOptions& options, Clock& clock);

}  // namespace groma
