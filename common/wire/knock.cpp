#include "common/wire/knock.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::array<std::byte, 8> kMagic{std::byte{'G'}, std::byte{'r'},  std::byte{'o'}, std::byte{'m'},
                                          std::byte{'a'}, std::byte{0x1a}, std::byte{'k'}, std::byte{1}};

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

}  // namespace groma
