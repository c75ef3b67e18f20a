// The options and commands of groma-key, one row each: the source of the command line, --help and the man page.
#pragma once

#include "common/cli/command_line.hpp"

namespace groma {

[[nodiscard]] const CommandTable& key_option_table();

}  // namespace groma
