// The options and commands of groma-log, one row each: the command line, --help and the man page are made of them.
#pragma once

#include "common/cli/command_line.hpp"

namespace groma {

[[nodiscard]] const CommandTable& log_option_table();

}  // namespace groma
