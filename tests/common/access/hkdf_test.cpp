#include "common/access/hkdf.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace groma {
namespace {

std::vector<std::byte> counting(unsigned first, std::size_t size) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < size; ++i) {
        bytes.push_back(static_cast<std::byte>(first + i));
    }
    return bytes;
}

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4U];
        text += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15U];
    }
    return text;
}

// RFC 5869, appendix A.1 and A.3.
TEST(Hkdf, IsThatOfItsRfcWithSaltAndWithout) {
    const std::vector<std::byte> secret(22, std::byte{0x0b});
    std::array<std::byte, 42> out{};
    hkdf_sha256(secret, counting(0, 13), "\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9", out);
    EXPECT_EQ(hex(out), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    hkdf_sha256(secret, {}, "", out);
    EXPECT_EQ(hex(out), "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

}  // namespace
}  // namespace groma
