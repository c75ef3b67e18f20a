#include "common/wire/knock.hpp"

#include <algorithm>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr std::array<std::byte, 8> kMagic{std::byte{'G'}, std::byte{'r'},  std::byte{'o'}, std::byte{'m'},
                                          std::byte{'a'}, std::byte{0x1a}, std::byte{'k'}, std::byte{1}};
constexpr std::string_view kDigits = "0123456789abcdef";

unsigned digit(char c) {
    const std::size_t found = kDigits.find(c);
    if (found == std::string_view::npos) {
        throw UsageError("a token must be 32 hexadecimal digits");
    }
    return static_cast<unsigned>(found);
}

}  // namespace

KnockBytes serialize_knock(const KnockToken& token) noexcept {
    KnockBytes bytes{};
    std::ranges::copy(token, std::ranges::copy(kMagic, bytes.begin()).out);
    return bytes;
}

std::optional<KnockToken> parse_knock(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() != kKnockBytes or not std::ranges::equal(bytes.first(kMagic.size()), kMagic)) {
        return std::nullopt;
    }
    KnockToken token{};
    std::ranges::copy(bytes.subspan(kMagic.size()), token.begin());
    return token;
}

bool same_token(const KnockToken& left, const KnockToken& right) noexcept {
    std::byte difference{0};
    for (std::size_t i = 0; i < left.size(); ++i) {
        difference |= left[i] ^ right[i];
    }
    return difference == std::byte{0};
}

std::string to_hex(const KnockToken& token) {
    std::string text;
    for (const std::byte byte : token) {
        const auto value = std::to_integer<unsigned>(byte);
        text += kDigits[value >> 4U];
        text += kDigits[value & 15U];
    }
    return text;
}

KnockToken token_from_hex(std::string_view text) {
    KnockToken token{};
    if (text.size() != 2 * token.size()) {
        throw UsageError("a token must be 32 hexadecimal digits");
    }
    for (std::size_t i = 0; i < token.size(); ++i) {
        token[i] = static_cast<std::byte>(digit(text[2 * i]) << 4U | digit(text[2 * i + 1]));
    }
    return token;
}

}  // namespace groma
