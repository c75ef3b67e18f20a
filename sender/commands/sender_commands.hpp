// The actions of groma-send, one file each. All but answer() return the exit status.
#pragma once

#include <optional>
#include <string>

#include "common/time/clock.hpp"
#include "sender/commands/console.hpp"
#include "sender/daemon/remote_run.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// A run that other hosts have a part in (joint/joint_run.hpp).
using RunJointly = RunOutput (*)(SenderOptions options, const RemoteSurroundings& around);

/// The main action: runs here or through a daemon on another host, and prints the report. Throws: RunError, SystemError
/// if the run cannot begin.
[[nodiscard]] int run_command(SenderOptions options, Clock& clock, RunJointly jointly);

/// --daemon: executes the runs that groma-send --via requests. Blocks until a signal stops the daemon.
[[nodiscard]] int daemon_command(const SenderOptions& options, Clock& clock);

/// --calibrate: measures a pair of hosts and prints their data sheet. In sender/calibration.
[[nodiscard]] int calibration_command(const SenderOptions& options, Clock& clock);

/// --search: finds the highest rate that keeps the requirements, and prints it. In sender/search.
[[nodiscard]] int search_command(const SenderOptions& options, Clock& clock);

/// --resume-spool: delivers the logs that earlier runs left in the spool.
[[nodiscard]] int spool_command(const SenderOptions& options, Clock& clock);
/// Tells the user how many logs wait for delivery, if any.
void mention_waiting_spools(const SenderOptions& options, Console& console);

/// --help, --version and the lists. Returns: the text to print; empty for another action.
[[nodiscard]] std::optional<std::string> answer(SenderOptions::Action action);

}  // namespace groma
