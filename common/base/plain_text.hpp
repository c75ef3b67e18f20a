// Text from elsewhere, made safe to show to a person: on a terminal, in a log, in HTML, in a picture.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// Characters that are obeyed, not shown: of control (C0, DEL, C1), of line ends, and of the direction of writing
/// (UAX 9), which let a text be read as another one.
[[nodiscard]] bool is_obeyed(char32_t code) noexcept;

/// Returns: `text` as UTF-8 that is shown as it stands. Each control character (C0, DEL, C1), line end, character that
/// sets the direction of writing, and byte that forms no character of UTF-8 becomes "\xNN", byte by byte: what a peer
/// or a file says can neither move the cursor nor be read as another text. At most `limit` bytes are kept, whole
/// characters, and "..." after them.
[[nodiscard]] std::string plain_text(std::string_view text, std::size_t limit = 2000);

/// Whether plain_text() changes nothing, however long it is: a name that is shown as it is cannot be read as another.
[[nodiscard]] bool shows_as_it_is(std::string_view text);

/// The same of each line, uncut; the lines stay lines.
[[nodiscard]] std::string plain_lines(std::string_view text);

}  // namespace groma
