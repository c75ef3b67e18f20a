#include "common/base/utf8.hpp"

#include "common/base/plain_text.hpp"

namespace groma {

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80                     ? 1
                                   : lead >= 0xc2 and lead <= 0xdf ? 2
                                   : lead >= 0xe0 and lead <= 0xef ? 3
                                   : lead >= 0xf0 and lead <= 0xf4 ? 4
                                                                   : 0;
        if (length == 0 or at + length > text.size()) {
            return false;
        }
        for (std::size_t i = 1; i < length; ++i) {
            if ((static_cast<unsigned char>(text[at + i]) & 0xc0U) != 0x80U) {
                return false;
            }
        }
        at += length;
    }
    return true;
}

std::string utf8_text(std::string_view text, std::size_t limit) {
    std::string plain = plain_text(text, limit);
    if (not is_utf8(plain)) {
        for (char& byte : plain) {
            byte = static_cast<unsigned char>(byte) < 0x80 ? byte : '?';
        }
    }
    return plain;
}

}  // namespace groma
