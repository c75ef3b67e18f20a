// UTF-8 of text from elsewhere, taken apart character by character.
#pragma once

#include <cstddef>
#include <string_view>

namespace groma {

/// One character: its number in Unicode, and how many bytes it takes.
struct Utf8Character {
    char32_t code = 0;
    std::size_t bytes = 0;  ///< 0: the bytes form none
};

/// The first character of `text`, which is not empty. Surrogates, overlong forms and numbers beyond U+10FFFF are none
/// (RFC 3629).
[[nodiscard]] Utf8Character first_character(std::string_view text) noexcept;

/// Whether the bytes form characters, all of them.
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace groma
