// The actions of groma-send, a file each. Returns (all but answer()): the exit status.
#pragma once

#include <optional>
#include <string>

#include "common/time/clock.hpp"
#include "sender/commands/console.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// The main action: makes the run, here or by a daemon on another host, and prints its report.
/// Throws: RunError, SystemError when the run cannot begin.
[[nodiscard]] int run_command(SenderOptions options, Clock& clock);

/// --daemon: makes the runs that groma-send --via asks for. Thread: blocks its caller's until a signal stops the
/// daemon.
[[nodiscard]] int daemon_command(const SenderOptions& options, Clock& clock);

/// --resume-spool: delivers the logs that earlier runs left in the spool.
[[nodiscard]] int spool_command(const SenderOptions& options, Clock& clock);
/// Says how many logs wait to be delivered, if any do.
void mention_waiting_spools(const SenderOptions& options, Console& console);

/// --help, --version and the lists, which do nothing. Returns: what to print; nothing for another action.
[[nodiscard]] std::optional<std::string> answer(SenderOptions::Action action);

}  // namespace groma
