#include "common/wire/packet_image.hpp"

#include <gtest/gtest.h>

#include "common/wire/captured_packet.hpp"
#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

using Octets = std::vector<std::byte>;

PacketEnd end(const std::string& hex, std::uint16_t port) {
    const Octets address = bytes_of(hex);
    PacketEnd made{.address = {}, .ipv6 = address.size() == 16, .port = port};
    std::ranges::copy(address, made.address.begin());
    return made;
}

PacketImage image_of(Transport transport, bool ipv6, std::span<const std::byte> payload, std::uint32_t size) {
    const std::string network = "fd 99 00 00 00 00 00 00 00 00 00 00 00 00 00 ";
    return {.transport = transport,
            .from = ipv6 ? end(network + "01", 5000) : end("0a 00 00 01", 5000),
            .to = ipv6 ? end(network + "02", 6000) : end("0a 00 00 02", 6000),
            .ttl = 9,
            .ds_byte = 0xb8,
            .reply = false,
            .number = 0x1'0000'0007,
            .stream_at = 77,
            .payload_size = size,
            .payload = payload};
}

/// RFC 1071, word by word, of a packet whose rest is zeros.
std::uint16_t ones_complement_sum(Octets bytes) {
    bytes.resize((bytes.size() + 1) / 2 * 2);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        sum += std::to_integer<std::uint32_t>(bytes[i]) * 256 + std::to_integer<std::uint32_t>(bytes[i + 1]);
        sum = (sum & 0xffff) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(sum);
}

void put(Octets& bytes, std::uint64_t value, unsigned size) {
    while (size-- > 0) {
        bytes.push_back(static_cast<std::byte>(value >> (8 * size)));
    }
}

/// The sum over pseudo-header and segment: 0xffff when the checksum is right.
std::uint16_t sum_with_pseudo_header(const PacketImage& image, Octets packet, std::uint32_t length,
                                     std::uint8_t protocol) {
    packet.resize(length);  // the rest is zeros
    const std::size_t header = image.from.ipv6 ? 40 : 20;
    const std::size_t address = image.from.ipv6 ? 16 : 4;
    Octets all(image.from.address.begin(), image.from.address.begin() + static_cast<std::ptrdiff_t>(address));
    all.insert(all.end(), image.to.address.begin(), image.to.address.begin() + static_cast<std::ptrdiff_t>(address));
    put(all, length - header, 4);
    put(all, protocol, 4);
    if (protocol == 1) {
        all.clear();  // ICMP over IPv4 has no pseudo-header
    }
    all.insert(all.end(), packet.begin() + static_cast<std::ptrdiff_t>(header), packet.end());
    return ones_complement_sum(all);
}

struct Case {
    Transport transport;
    bool ipv6;
    std::uint8_t protocol;
    std::uint32_t headers;
};

class EveryTransport : public testing::TestWithParam<Case> {};

TEST_P(EveryTransport, IsTakenApartAgain) {
    const auto [transport, ipv6, protocol, headers] = GetParam();
    const Octets payload = bytes_of("01 02 03 04 05 06 07");
    for (const std::uint32_t size : {7U, 8U, 100U, 1401U}) {
        const PacketImage image = image_of(transport, ipv6, payload, size);
        Octets packet{std::byte{0xee}};  // what is there stays
        const std::uint32_t length = append_image(image, packet);
        EXPECT_EQ(packet.front(), std::byte{0xee});
        packet.erase(packet.begin());
        EXPECT_EQ(length, headers + size);
        const auto found = parse_captured(packet, LinkType::raw);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->protocol, protocol);
        EXPECT_EQ(Octets(found->payload.begin(), found->payload.end()), payload);
        EXPECT_TRUE(std::ranges::equal(found->destination, std::span(image.to.address).first(ipv6 ? 16 : 4)));
        EXPECT_EQ(sum_with_pseudo_header(image, packet, length, protocol), 0xffff);
        if (not ipv6) {
            EXPECT_EQ(ones_complement_sum(Octets(packet.begin(), packet.begin() + 20)), 0xffff);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(PacketImage, EveryTransport,
                         testing::Values(Case{Transport::udp, false, 17, 28}, Case{Transport::udp, true, 17, 48},
                                         Case{Transport::tcp, false, 6, 40}, Case{Transport::mptcp, true, 6, 60},
                                         Case{Transport::udplite, false, 136, 28},
                                         Case{Transport::udplite, true, 136, 48}, Case{Transport::dccp, false, 33, 36},
                                         Case{Transport::dccp, true, 33, 56}, Case{Transport::icmp, false, 1, 28},
                                         Case{Transport::icmp, true, 58, 48}));

TEST(PacketImage, HasTheBytesOfAUdpDatagram) {
    Octets packet;
    const Octets payload = bytes_of("01 02 03");
    EXPECT_EQ(append_image(image_of(Transport::udp, false, payload, 3), packet), 31U);
    EXPECT_EQ(packet, bytes_of("45 b8 00 1f 00 07 00 00 09 11 9d 0d 0a 00 00 01 0a 00 00 02 "
                               "13 88 17 70 00 0b bc db 01 02 03"));
}

TEST(PacketImage, OfSctpIsOneChunkOfData) {
    Octets packet;
    const Octets payload = bytes_of("01 02 03 04");
    EXPECT_EQ(append_image(image_of(Transport::sctp, false, payload, 21), packet), 20U + 12 + 16 + 24);
    EXPECT_EQ(
        Octets(packet.begin() + 20, packet.end()),
        bytes_of("13 88 17 70 00 00 00 01 00 00 00 00 00 07 00 25 00 00 00 07 00 00 00 00 00 00 00 00 01 02 03 04"));
}

TEST(PacketImage, OfSctpInUserSpaceTravelsOverUdp) {
    Octets packet;
    const Octets payload = bytes_of("01 02 03 04");
    EXPECT_EQ(append_image(image_of(Transport::usrsctp, false, payload, 4), packet), 20U + 8 + 12 + 16 + 4);
    EXPECT_EQ(Octets(packet.begin() + 20, packet.begin() + 26), bytes_of("26 ab 26 ab 00 28"));
    EXPECT_EQ(Octets(packet.begin() + 28, packet.begin() + 32), bytes_of("13 88 17 70"));
}

TEST(PacketImage, OfAnEchoReplyHasTheTopBitOfTheSequenceNumber) {
    PacketImage image = image_of(Transport::icmp, false, {}, 0);
    image.reply = true;
    Octets packet;
    (void)append_image(image, packet);
    EXPECT_EQ(packet[20], std::byte{0});
    EXPECT_EQ(Octets(packet.begin() + 24, packet.begin() + 28), bytes_of("13 88 80 07"));
}

TEST(PacketImage, ThatIsTooLongForItsFieldsHasZeroThere) {
    Octets packet;
    EXPECT_EQ(append_image(image_of(Transport::tcp, false, {}, 1'000'000), packet), 1'000'040U);
    EXPECT_EQ(Octets(packet.begin() + 2, packet.begin() + 4), bytes_of("00 00"));
    EXPECT_EQ(Octets(packet.begin() + 24, packet.begin() + 28), bytes_of("00 00 00 4d"));
}

}  // namespace
}  // namespace groma
