#include "common/wire/captured_packet.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

std::string payload_of(const std::vector<std::byte>& frame, LinkType link = LinkType::ethernet) {
    const auto packet = parse_captured(frame, link);
    if (not packet) {
        return "(none)";
    }
    return {reinterpret_cast<const char*>(packet->payload.data()), packet->payload.size()};
}

TEST(CapturedPacket, HasThePayloadBehindEveryKindOfLink) {
    const auto packet = udp_packet("hello");
    EXPECT_EQ(payload_of(packet, LinkType::raw), "hello");
    EXPECT_EQ(payload_of(joined(ethernet("08 00"), packet)), "hello");
    EXPECT_EQ(payload_of(joined(ethernet("81 00 00 07 08 00"), packet)), "hello") << "a VLAN";
    EXPECT_EQ(payload_of(joined(ethernet("88 a8 00 07 81 00 00 08 08 00"), packet)), "hello") << "two VLANs";
    EXPECT_EQ(payload_of(joined(std::vector<std::byte>(4), packet), LinkType::null), "hello");
    EXPECT_EQ(payload_of(joined(joined(std::vector<std::byte>(14), bytes_of("08 00")), packet), LinkType::linux_sll),
              "hello");
    EXPECT_EQ(payload_of(joined(joined(bytes_of("08 00"), std::vector<std::byte>(18)), packet), LinkType::linux_sll2),
              "hello");
    EXPECT_EQ(payload_of(joined(ethernet("08 06"), packet)), "(none)") << "ARP";
    EXPECT_EQ(payload_of(joined(joined(std::vector<std::byte>(14), bytes_of("08 06")), packet), LinkType::linux_sll),
              "(none)")
        << "ARP on a cooked link";
}

TEST(CapturedPacket, LeavesThePaddingOfShortFramesOut) {
    EXPECT_EQ(payload_of(joined(joined(ethernet("08 00"), udp_packet("x")), std::vector<std::byte>(17))), "x");
}

TEST(CapturedPacket, HasThePayloadBehindTcpWithOptions) {
    auto packet = bytes_of(
        "45 00 00 36 00 01 00 00 40 06 00 00 0a 00 00 01 0a 00 00 02 "
        "00 50 13 89 00 00 00 01 00 00 00 01 80 18 01 00 00 00 00 00 01 01 08 0a 00 00 00 01 00 00 00 02 61 62");
    EXPECT_EQ(payload_of(packet, LinkType::raw), "ab");
    packet[32] = std::byte{0x40};  // a header of 16 bytes is invalid
    EXPECT_EQ(payload_of(packet, LinkType::raw), "(none)");
}

TEST(CapturedPacket, HasThePayloadBehindTheExtensionsOfIpv6) {
    const std::string addresses =
        "fd 99 00 00 00 00 00 00 00 00 00 00 00 00 00 01 fd 99 00 00 00 00 00 00 00 00 00 00 00 00 00 02 ";
    EXPECT_EQ(
        payload_of(bytes_of("60 00 00 00 00 0a 11 40 " + addresses + "13 88 13 89 00 0a 00 00 68 69"), LinkType::raw),
        "hi");
    EXPECT_EQ(payload_of(bytes_of("60 00 00 00 00 12 00 40 " + addresses +
                                  "11 00 00 00 00 00 00 00 13 88 13 89 00 0a 00 00 68 69"),
                         LinkType::raw),
              "hi")
        << "hop by hop";
    EXPECT_EQ(payload_of(bytes_of("60 00 00 00 00 12 2c 40 " + addresses +
                                  "11 00 00 08 00 00 00 00 13 88 13 89 00 0a 00 00 68 69"),
                         LinkType::raw),
              "(none)")
        << "a later fragment";
}

TEST(CapturedPacket, LaterFragmentsOfIpv4HaveNoHeaderAndCountAsNone) {
    auto packet = udp_packet("hello");
    packet[7] = std::byte{1};
    EXPECT_EQ(payload_of(packet, LinkType::raw), "(none)");
}

TEST(CapturedPacket, ThatIsCutAnywhereIsNoneOrShort) {
    const auto frame = joined(ethernet("81 00 00 07 08 00"), udp_packet("hello"));
    for (std::size_t size = 0; size < frame.size(); ++size) {
        const std::vector<std::byte> cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size));
        const std::string payload = payload_of(cut);
        EXPECT_TRUE(payload == "(none)" or std::string("hello").starts_with(payload)) << size;
    }
}

TEST(CapturedPacket, NoiseIsReadWithinItsBounds) {
    std::mt19937 noise(4);
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::byte> frame(noise() % 120);
        for (std::byte& byte : frame) {
            byte = static_cast<std::byte>(noise());
        }
        for (const LinkType link : {LinkType::null, LinkType::ethernet, LinkType::raw, LinkType::linux_sll2}) {
            if (const auto packet = parse_captured(frame, link); packet and not packet->payload.empty()) {
                EXPECT_GE(packet->payload.data(), frame.data());
                EXPECT_LE(packet->payload.data() + packet->payload.size(), frame.data() + frame.size());
            }
        }
    }
}

}  // namespace
}  // namespace groma
