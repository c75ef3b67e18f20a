#include "common/base/token.hpp"

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

std::byte half(char digit) {
    return static_cast<std::byte>(kHexDigits.find(digit));
}

}  // namespace

std::string to_hex(const Token& token) {
    std::string text;
    for (const std::byte byte : token) {
        const auto value = std::to_integer<unsigned>(byte);
        text += kHexDigits[value >> 4U];
        text += kHexDigits[value & 15U];
    }
    return text;
}

bool is_token(std::string_view text) noexcept {
    return text.size() == 2 * Token{}.size() and text.find_first_not_of(kHexDigits) == std::string_view::npos;
}

Token token_from_hex(std::string_view text) {
    if (not is_token(text)) {
        throw UsageError("a token must be 32 hexadecimal digits");
    }
    Token token{};
    for (std::size_t i = 0; i < token.size(); ++i) {
        token[i] = half(text[2 * i]) << 4U | half(text[2 * i + 1]);
    }
    return token;
}

bool same_token(const Token& left, const Token& right) noexcept {
    std::byte difference{0};
    for (std::size_t i = 0; i < left.size(); ++i) {
        difference |= left[i] ^ right[i];
    }
    return difference == std::byte{0};
}

}  // namespace groma
