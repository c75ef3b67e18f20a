// Which flows of a run other hosts send: those from hosts with an agent (docs/guide/agents.md).
#pragma once

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Finds the agents: those of the experiment's hosts, and those of --agents. With --as there are none. What agents
/// cannot do is an error.
void read_agents(const CommandLine& line, SenderOptions& options, UsageErrors& errors);

/// What is said of flows is known of those from agents, too: such as their direction.
void check_agents(const CommandLine& line, const SenderOptions& options, UsageErrors& errors);

}  // namespace groma
