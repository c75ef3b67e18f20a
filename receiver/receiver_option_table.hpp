// The options of groma-recv, one row each: the command line, --help and the man page are made of them.
#pragma once

#include "common/cli/command_line.hpp"

namespace groma {

[[nodiscard]] const CommandTable& receiver_option_table();

}  // namespace groma
