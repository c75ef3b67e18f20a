// The options of groma-recv, one row each: the command line, --help and the man page are made of them.
#pragma once

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "receiver/receiver_options.hpp"

namespace groma {

[[nodiscard]] const CommandTable& receiver_option_table();

/// Reads those that have no other options beside them.
void read_receiver_options(const CommandLine& line, UsageErrors& errors, ReceiverOptions& options);

}  // namespace groma
