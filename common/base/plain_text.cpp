#include "common/base/plain_text.hpp"

#include <algorithm>

#include "common/base/utf8.hpp"

namespace groma {

namespace {

void append_hex(std::string& out, std::string_view bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (const char one : bytes) {
        const auto byte = static_cast<unsigned char>(one);
        out += "\\x";
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 15U];
    }
}

}  // namespace

bool is_obeyed(char32_t code) noexcept {
    return code < 0x20 or (code >= 0x7f and code < 0xa0) or code == 0x61c or code == 0x200e or code == 0x200f or
           (code >= 0x2028 and code <= 0x202e) or (code >= 0x2066 and code <= 0x2069);
}

std::string plain_text(std::string_view text, std::size_t limit) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character one = first_character(text.substr(at));
        const std::string_view bytes = text.substr(at, std::max<std::size_t>(one.bytes, 1));
        at += bytes.size();
        if (at > limit) {
            return out + "...";
        }
        if (one.bytes == 0 or is_obeyed(one.code)) {
            append_hex(out, bytes);
        } else {
            out += bytes;
        }
    }
    return out;
}

bool shows_as_it_is(std::string_view text) {
    return plain_text(text, text.size()) == text;
}

std::string plain_lines(std::string_view text) {
    std::string out;
    while (not text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(line.size());
        out += plain_text(line, line.size());
        if (not text.empty()) {
            out += '\n';
            text.remove_prefix(1);
        }
    }
    return out;
}

}  // namespace groma
