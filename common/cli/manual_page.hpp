// A program's man page. Usage, commands and options are generated from the table of options, between markers (comment
// lines); the rest is written by hand.
//
//   .\" begin options (made from the option table)
//   ...
//   .\" end options
#pragma once

#include <string>
#include <string_view>

#include "common/cli/command_line.hpp"

namespace groma {

/// Returns: `page` with the text between its markers for "synopsis", "options" and, if the table has any, "commands"
/// generated anew. Throws: UsageError if a marker is missing.
[[nodiscard]] std::string manual_page(const CommandTable& table, std::string_view page);

}  // namespace groma
