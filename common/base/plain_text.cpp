#include "common/base/plain_text.hpp"

namespace groma {

namespace {

void append_hex(std::string& out, unsigned char byte) {
    constexpr char kDigits[] = "0123456789abcdef";
    out += "\\x";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t limit) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i == limit) {
            return out + "...";
        }
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : static_cast<unsigned char>(0);
        if (byte == 0xc2 and next >= 0x80 and next < 0xa0) {
            append_hex(out, byte);
            append_hex(out, next);
            ++i;
        } else if (byte < 0x20 or byte == 0x7f) {
            append_hex(out, byte);
        } else {
            out += text[i];
        }
    }
    return out;
}

}  // namespace groma
