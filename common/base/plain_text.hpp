// Text from elsewhere, made safe to show to a person: on a terminal, in a log, in HTML, in a picture.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// Characters that a terminal obeys instead of showing: control characters (C0, DEL, C1), line ends, and direction
/// marks (UAX 9), which make a text read as another one.
[[nodiscard]] bool is_obeyed(char32_t code) noexcept;

/// Returns: `text` as UTF-8 that is safe to show. Replaces each control character (C0, DEL, C1), line end, direction
/// mark and invalid UTF-8 byte with "\xNN", byte by byte. Text from a peer or a file can then neither move the cursor
/// nor read as another text. Keeps at most `limit` bytes of complete characters, and appends "..." if it cuts.
[[nodiscard]] std::string plain_text(std::string_view text, std::size_t limit = 2000);

/// Whether plain_text() leaves the text unchanged, whatever its length. A name that passes cannot be read as another
/// one.
[[nodiscard]] bool shows_as_it_is(std::string_view text);

/// plain_text() of each line, without a limit; line ends are kept.
[[nodiscard]] std::string plain_lines(std::string_view text);

}  // namespace groma
