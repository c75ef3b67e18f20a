#include "common/base/utf8.hpp"

#include <array>

namespace groma {

namespace {

/// Bytes of the character that begins with `lead`; 0: none does.
std::size_t length_of(unsigned char lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xc0 or lead > 0xf4) {
        return 0;
    }
    return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

bool is_possible(const Utf8Character& one) {
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};  // of so many bytes
    const bool surrogate = one.code >= 0xd800 and one.code < 0xe000;
    return one.code >= kLeast[one.bytes] and one.code <= 0x10ffff and not surrogate;
}

}  // namespace

Utf8Character first_character(std::string_view text) noexcept {
    const auto lead = static_cast<unsigned char>(text.front());
    Utf8Character one{.code = lead, .bytes = length_of(lead)};
    if (one.bytes > text.size()) {
        return {};
    }
    if (one.bytes > 1) {
        one.code = lead & (0x7fU >> one.bytes);
    }
    for (std::size_t i = 1; i < one.bytes; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xc0U) != 0x80U) {
            return {};
        }
        one.code = one.code << 6U | (byte & 0x3fU);
    }
    return one.bytes > 0 and is_possible(one) ? one : Utf8Character{};
}

bool is_utf8(std::string_view text) noexcept {
    while (not text.empty()) {
        const std::size_t bytes = first_character(text).bytes;
        if (bytes == 0) {
            return false;
        }
        text.remove_prefix(bytes);
    }
    return true;
}

}  // namespace groma
