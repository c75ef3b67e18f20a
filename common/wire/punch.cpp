#include "common/wire/punch.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::array<std::byte, 8> kPunchMagic{std::byte{'G'}, std::byte{'r'},  std::byte{'o'}, std::byte{'m'},
                                               std::byte{'a'}, std::byte{0x1a}, std::byte{'k'}, std::byte{1}};

}  // namespace

PunchBytes serialize_punch(const PunchToken& token) noexcept {
    PunchBytes bytes{};
    std::ranges::copy(token, std::ranges::copy(kPunchMagic, bytes.begin()).out);
    return bytes;
}

std::optional<PunchToken> parse_punch(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() != kPunchBytes or not std::ranges::equal(bytes.first(kPunchMagic.size()), kPunchMagic)) {
        return std::nullopt;
    }
    PunchToken token{};
    std::ranges::copy(bytes.subspan(kPunchMagic.size()), token.begin());
    return token;
}

}  // namespace groma
