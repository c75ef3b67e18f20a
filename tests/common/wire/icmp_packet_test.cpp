#include "common/wire/icmp_packet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace groma {
namespace {

/// RFC 1071, word by word.
std::uint16_t obvious_checksum(std::span<const std::byte> bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        sum += std::to_integer<std::uint32_t>(bytes[i]) << 8U;
        sum += i + 1 < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + 1]) : 0;
        sum = (sum & 0xffffU) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(~sum);
}

TEST(InternetChecksum, IsThatOfTheExampleInRfc1071) {
    constexpr std::array<unsigned char, 8> kExample{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    InternetChecksum checksum;
    checksum.add(std::as_bytes(std::span(kExample)));
    EXPECT_EQ(checksum.value(), 0xffff - 0xddf2);
}

TEST(InternetChecksum, DoesNotDependOnHowTheBytesAreCut) {
    std::mt19937 random(1);  // NOLINT(cert-msc51-cpp)
    std::vector<std::byte> bytes(1001);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(random());
    }
    for (std::size_t size : {0U, 1U, 2U, 3U, 20U, 999U, 1001U}) {
        const auto all = std::span<const std::byte>(bytes).first(size);
        for (std::size_t cut = 0; cut <= size; cut += 1 + cut / 8) {
            InternetChecksum checksum;
            checksum.add(all.first(cut));
            checksum.add(all.subspan(cut));
            ASSERT_EQ(checksum.value(), obvious_checksum(all)) << size << " cut at " << cut;
        }
    }
}

TEST(InternetChecksum, OfAPacketWithoutPayloadIsThatOfItsHeader) {
    InternetChecksum checksum;
    checksum.add({});
    EXPECT_EQ(checksum.value(), 0xffff);
}

TEST(IcmpEcho, IsTheHeaderOfRfc792) {
    std::array<std::byte, kIcmpHeaderSize> bytes{};
    serialize({.type = kEchoRequest, .identifier = 0x1234, .sequence = 0x5678, .checksum = 0x9abc}, bytes);
    constexpr std::array<unsigned char, 8> kWanted{8, 0, 0x9a, 0xbc, 0x12, 0x34, 0x56, 0x78};
    EXPECT_TRUE(std::ranges::equal(bytes, std::as_bytes(std::span(kWanted))));
}

}  // namespace
}  // namespace groma
