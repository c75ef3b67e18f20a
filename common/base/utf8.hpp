// Text from elsewhere for formats that allow nothing but UTF-8, such as SVG and HTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace groma {

/// Whether the bytes form characters of UTF-8; a surrogate or an overlong form of three bytes and more counts as one.
[[nodiscard]] bool is_utf8(std::string_view text);

/// plain_text(), and '?' in place of every byte above 127 when the bytes do not form UTF-8.
[[nodiscard]] std::string utf8_text(std::string_view text, std::size_t limit = 2000);

}  // namespace groma
