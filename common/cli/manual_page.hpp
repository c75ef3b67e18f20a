// A program's man page: what a page says of usage, commands and options is made from the table of options and stands
// between markers, lines of comment; all else is written by hand.
//
//   .\" begin options (made from the option table)
//   ...
//   .\" end options
#pragma once

#include <string>
#include <string_view>

#include "common/cli/command_line.hpp"

namespace groma {

/// Returns: `page` with what is between its markers for "synopsis", "options" and, if the table has any, "commands"
/// made anew. Throws: UsageError when one of them is missing.
[[nodiscard]] std::string manual_page(const CommandTable& table, std::string_view page);

}  // namespace groma
