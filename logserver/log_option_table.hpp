// The options and commands of groma-log, one row each: the source of the command line, --help and the man page.
#pragma once

#include "common/cli/command_line.hpp"

namespace groma {

[[nodiscard]] const CommandTable& log_option_table();

}  // namespace groma
