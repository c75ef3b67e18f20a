// The options of groma-send, one row each: what --help prints and what the command line is read by.
#pragma once

#include "common/cli/command_line.hpp"

namespace groma {

[[nodiscard]] const CommandTable& sender_option_table();

}  // namespace groma
