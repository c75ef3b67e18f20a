// Text in lines that fit a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace groma {

/// Characters of a line of text that programs print, except in tables and error messages.
inline constexpr std::size_t kLineWidth = 100;

/// Appends `text` word by word from a column on, each word with a space before it, and '\n' at the end. Further lines
/// begin at column `indent`. A word longer than a line is cut behind a ',' or '+'.
void append_wrapped(std::string& out, std::size_t column, std::size_t indent, std::string_view text);

}  // namespace groma
