#include "common/net/stamps/looped_packet.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>

#include <algorithm>
#include <vector>

namespace groma {
namespace {

using PacketBytes = std::vector<std::byte>;

void append(PacketBytes& out, std::initializer_list<int> bytes) {
    for (const int value : bytes) {
        out.push_back(static_cast<std::byte>(value));
    }
}

/// UDP to 10.0.0.2 with the number 0x01020304, after a link header of this length.
PacketBytes ipv4_packet(std::size_t link, std::size_t options = 0) {
    PacketBytes packet(link, std::byte{0xee});
    append(packet, {0x45 + static_cast<int>(options / 4), 0, 0, static_cast<int>(32 + options), 0, 0, 0, 0, 64,
                    IPPROTO_UDP, 0, 0, 10, 0, 0, 1});
    append(packet, {10, 0, 0, 2});
    packet.resize(packet.size() + options);
    append(packet, {0x80, 0, 0x90, 0, 0, 12, 0, 0, 1, 2, 3, 4});
    return packet;
}

PacketBytes ipv6_packet(bool cut) {
    PacketBytes packet(14, std::byte{0xee});
    append(packet, {0x60, 0, 0, 0, 0, 20, cut ? 44 : IPPROTO_UDP, 64});
    packet.resize(packet.size() + 15);
    append(packet, {1});
    packet.resize(packet.size() + 15);
    append(packet, {2});
    if (cut) {
        append(packet, {IPPROTO_UDP, 0, 0, 1, 0, 0, 0, 9});
    }
    append(packet, {0x80, 0, 0x90, 0, 0, 12, 0, 0, 1, 2, 3, 4});
    return packet;
}

const LoopedFlow kIpv4Flow{.to = SocketAddress::from_literal("10.0.0.2", 9000), .protocol = IPPROTO_UDP};
const LoopedFlow kIpv6Flow{.to = SocketAddress::from_literal("::2", 9000), .protocol = IPPROTO_UDP};

TEST(LoopedPacket, ItsNumberIsFoundBehindAnyLinkHeader) {
    for (const std::size_t link : {0U, 4U, 14U, 18U, 22U}) {
        EXPECT_EQ(sequence_of_looped(ipv4_packet(link), kIpv4Flow), 0x01020304U) << link;
    }
    EXPECT_EQ(sequence_of_looped(ipv4_packet(14, 40), kIpv4Flow), 0x01020304U) << "with options of IP";
    EXPECT_EQ(sequence_of_looped(ipv6_packet(false), kIpv6Flow), 0x01020304U);
    EXPECT_EQ(sequence_of_looped(ipv6_packet(true), kIpv6Flow), 0x01020304U) << "the first of several fragments";
}

TEST(LoopedPacket, APacketThatIsCutAnywhereHasNone) {
    for (const PacketBytes& whole : {ipv4_packet(14), ipv6_packet(false), ipv6_packet(true)}) {
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const auto part = std::span(whole).first(size);
            EXPECT_EQ(sequence_of_looped(part, kIpv4Flow), std::nullopt) << size;
            EXPECT_EQ(sequence_of_looped(part, kIpv6Flow), std::nullopt) << size;
        }
    }
}

TEST(LoopedPacket, APacketToSomebodyElseIsNoneOfTheFlow) {
    LoopedFlow other = kIpv4Flow;
    other.to = SocketAddress::from_literal("10.0.0.3", 9000);
    EXPECT_EQ(sequence_of_looped(ipv4_packet(14), other), std::nullopt);
    other = kIpv4Flow;
    other.protocol = IPPROTO_ICMP;
    EXPECT_EQ(sequence_of_looped(ipv4_packet(14), other), std::nullopt);
    EXPECT_EQ(sequence_of_looped(ipv4_packet(14), kIpv6Flow), std::nullopt);
    EXPECT_EQ(sequence_of_looped(ipv6_packet(false), kIpv4Flow), std::nullopt);
}

}  // namespace
}  // namespace groma
