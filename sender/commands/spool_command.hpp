// groma-send --resume-spool: delivers the logs that earlier runs left in the spool.
#pragma once

#include "common/time/clock.hpp"
#include "sender/commands/console.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Returns: the exit status.
[[nodiscard]] int spool_command(const SenderOptions& options, Clock& clock);

/// Says how many logs wait to be delivered, if any do.
void mention_waiting_spools(const SenderOptions& options, Console& console);

}  // namespace groma
