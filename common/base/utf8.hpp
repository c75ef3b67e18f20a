// Decodes UTF-8 text from elsewhere, one character at a time.
#pragma once

#include <cstddef>
#include <string_view>

namespace groma {

/// One character: its code point and its length in bytes.
struct Utf8Character {
    char32_t code = 0;
    std::size_t bytes = 0;  ///< 0: not valid UTF-8
};

/// Decodes the first character of `text`. Requires: `text` is not empty. Surrogates, overlong forms and numbers beyond
/// U+10FFFF are invalid (RFC 3629).
[[nodiscard]] Utf8Character first_character(std::string_view text) noexcept;

/// Whether all bytes form valid characters.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace groma
