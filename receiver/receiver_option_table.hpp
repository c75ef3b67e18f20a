// The options of groma-recv, one row each: the source of the command line, --help and the man page.
#pragma once

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "receiver/receiver_options.hpp"

namespace groma {

[[nodiscard]] const CommandTable& receiver_option_table();

/// Reads the options that do not depend on others.
void read_receiver_options(const CommandLine& line, UsageErrors& errors, ReceiverOptions& options);

}  // namespace groma
