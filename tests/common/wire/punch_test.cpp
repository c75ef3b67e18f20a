#include "common/wire/punch.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr std::string_view kHex = "00112233445566778899aabbccddeeff";

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        constexpr std::string_view kDigits = "0123456789abcdef";
        text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
        text += kDigits[std::to_integer<unsigned>(byte) & 15U];
    }
    return text;
}

TEST(Punch, HasTheBytesThatTheDocumentShows) {
    EXPECT_EQ(hex(serialize_punch(token_from_hex(kHex))), "47726f6d611a6b01" + std::string(kHex));
}

TEST(Punch, GivesTheTokenThatWasPutIn) {
    const PunchToken token = token_from_hex(kHex);
    EXPECT_EQ(parse_punch(serialize_punch(token)), token);
    EXPECT_EQ(to_hex(token), kHex);
}

TEST(Punch, OfAnyOtherLengthIsNone) {
    std::array<std::byte, kPunchBytes + 1> longer{};
    const PunchBytes bytes = serialize_punch(token_from_hex(kHex));
    std::copy(bytes.begin(), bytes.end(), longer.begin());
    for (std::size_t size = 0; size <= longer.size(); ++size) {
        EXPECT_EQ(parse_punch(std::span(longer).first(size)).has_value(), size == kPunchBytes) << size;
    }
}

TEST(Punch, WithAnyByteChangedIsNoneOrHasAnotherToken) {
    const PunchToken token = token_from_hex(kHex);
    for (std::size_t i = 0; i < kPunchBytes; ++i) {
        PunchBytes bytes = serialize_punch(token);
        bytes[i] ^= std::byte{0x20};
        const auto parsed = parse_punch(bytes);
        EXPECT_FALSE(parsed and same_token(*parsed, token)) << i;
    }
}

}  // namespace
}  // namespace groma
