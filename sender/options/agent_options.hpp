// Which flows of a run other hosts send: those from hosts with an agent (docs/guide/agents.md).
#pragma once

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Finds the agents of hosts that flows go from: those of the experiment file, and those of --agents. With --as there
/// are none.
void read_agents(const CommandLine& line, SenderOptions& options, UsageErrors& errors);

/// Adds an error for what does not go with agents, and for each flow from a host without one, or that agents do not
/// send. Requires: all that is said of flows has been read.
void check_agents(const CommandLine& line, const SenderOptions& options, UsageErrors& errors);

}  // namespace groma
