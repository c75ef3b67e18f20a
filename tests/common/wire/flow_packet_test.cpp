#include "common/wire/flow_packet.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/common/wire/sample_frames.hpp"

namespace groma {
namespace {

using Frame = std::vector<std::byte>;

const std::string kAddresses6 =
    "fd 99 00 00 00 00 00 00 00 00 00 00 00 00 00 01 fd 99 00 00 00 00 00 00 00 00 00 00 00 00 00 02 ";

/// A packet of IPv4 from 10.0.0.1 to 10.0.0.2 around a protocol's segment.
Frame ipv4(unsigned protocol, const Frame& segment) {
    Frame packet = bytes_of("45 00 00 00 00 01 00 00 40 00 00 00 0a 00 00 01 0a 00 00 02");
    const std::size_t length = packet.size() + segment.size();
    packet[2] = static_cast<std::byte>(length >> 8U);
    packet[3] = static_cast<std::byte>(length & 0xffU);
    packet[9] = static_cast<std::byte>(protocol);
    return joined(packet, segment);
}

Frame ipv6(unsigned protocol, const Frame& segment) {
    Frame packet = bytes_of("60 00 00 00 00 00 00 40 " + kAddresses6);
    packet[4] = static_cast<std::byte>(segment.size() >> 8U);
    packet[5] = static_cast<std::byte>(segment.size() & 0xffU);
    packet[6] = static_cast<std::byte>(protocol);
    return joined(packet, segment);
}

FoundFlow found(const Frame& frame, LinkType link = LinkType::raw) {
    return find_flow(frame, link, frame.size());
}

/// "5000>5001:5", or with "bare" after it, or why there is none.
std::string said(const FoundFlow& flow) {
    if (not flow.packet) {
        constexpr std::array kWhy{"not ip", "fragment", "cut", "malformed", "unknown protocol", "icmp message"};
        return kWhy[static_cast<std::size_t>(flow.instead)];
    }
    return std::to_string(flow.packet->key.source_port) + ">" + std::to_string(flow.packet->key.destination_port) +
           ":" + std::to_string(flow.packet->size) + (flow.packet->bare ? " bare" : "");
}

const Frame kUdp = bytes_of("13 88 13 89 00 0d 00 00 68 65 6c 6c 6f");
const Frame kTcp = bytes_of("13 88 13 89 00 00 00 01 00 00 00 01 60 18 01 00 00 00 00 00 01 01 01 01 61 62");

TEST(FlowPacket, IsReadOverBothVersionsOfIpAndEveryLink) {
    EXPECT_EQ(said(found(ipv4(17, kUdp))), "5000>5001:5");
    EXPECT_EQ(said(found(ipv6(17, kUdp))), "5000>5001:5");
    EXPECT_EQ(said(found(joined(ethernet("08 00"), ipv4(17, kUdp)), LinkType::ethernet)), "5000>5001:5");
    EXPECT_EQ(said(found(joined(ethernet("81 00 00 07 86 dd"), ipv6(17, kUdp)), LinkType::ethernet)), "5000>5001:5");
    EXPECT_EQ(said(found(joined(ethernet("88 a8 00 07 81 00 00 08 08 00"), ipv4(17, kUdp)), LinkType::ethernet)),
              "5000>5001:5");
    const Frame cooked = joined(std::vector<std::byte>(14), bytes_of("08 00"));
    EXPECT_EQ(said(found(joined(cooked, ipv4(17, kUdp)), LinkType::linux_sll)), "5000>5001:5");
    const Frame cooked2 = joined(bytes_of("86 dd"), std::vector<std::byte>(18));
    EXPECT_EQ(said(found(joined(cooked2, ipv6(17, kUdp)), LinkType::linux_sll2)), "5000>5001:5");
    EXPECT_EQ(said(found(joined(bytes_of("02 00 00 00"), ipv4(17, kUdp)), LinkType::null)), "5000>5001:5");
    EXPECT_EQ(said(found(ipv6(17, kUdp), LinkType::ipv6)), "5000>5001:5");
}

TEST(FlowPacket, HasTheAddressesOfItsDirection) {
    const FlowKey there = found(ipv4(17, kUdp)).packet->key;
    EXPECT_EQ(there.source[3], std::byte{1});
    EXPECT_EQ(there.destination[3], std::byte{2});
    EXPECT_FALSE(there.ipv6);
    Frame back = ipv4(17, bytes_of("13 89 13 88 00 08 00 00"));
    std::swap(back[15], back[19]);
    EXPECT_NE(found(back).packet->key, there);
    EXPECT_EQ(said(found(back)), "5001>5000:0");
    EXPECT_TRUE(found(ipv6(17, kUdp)).packet->key.ipv6);
}

TEST(FlowPacket, HasThePayloadOfEachTransport) {
    EXPECT_EQ(said(found(ipv4(6, kTcp))), "5000>5001:2");
    EXPECT_EQ(said(found(ipv4(6, Frame(kTcp.begin(), kTcp.end() - 2)))), "5000>5001:0 bare");
    EXPECT_EQ(said(found(ipv4(136, bytes_of("13 88 13 89 00 08 00 00 68 69")))), "5000>5001:2");
    EXPECT_EQ(said(found(ipv4(33, bytes_of("13 88 13 89 03 00 00 00 04 00 00 01 61 62 63")))), "5000>5001:3");
    EXPECT_EQ(said(found(ipv4(33, bytes_of("13 88 13 89 04 00 00 00 06 00 00 01 00 00 00 00")))), "5000>5001:0 bare")
        << "an acknowledgement";
    EXPECT_EQ(said(found(ipv4(1, bytes_of("08 00 00 00 00 2a 00 01 61 62 63")))), "42>8:3");
    EXPECT_EQ(said(found(ipv6(58, bytes_of("81 00 00 00 00 2a 00 01")))), "42>129:0");
    EXPECT_EQ(said(found(ipv4(1, bytes_of("03 03 00 00 00 00 00 00")))), "icmp message");
    EXPECT_EQ(said(found(ipv4(47, bytes_of("00 00 08 00")))), "unknown protocol");
}

TEST(FlowPacket, OfSctpHasThePayloadOfItsDataChunks) {
    const std::string header = "13 88 13 89 00 00 00 01 00 00 00 00 ";
    const std::string data = "00 03 00 12 00 00 00 01 00 00 00 00 00 00 00 00 61 62 00 00 ";
    const std::string sack = "03 00 00 10 00 00 00 01 00 00 ff ff 00 00 00 00 ";
    EXPECT_EQ(said(found(ipv4(132, bytes_of(header + data)))), "5000>5001:2");
    EXPECT_EQ(said(found(ipv4(132, bytes_of(header + sack + data + data)))), "5000>5001:4");
    EXPECT_EQ(said(found(ipv4(132, bytes_of(header + sack)))), "5000>5001:0 bare");
    EXPECT_EQ(said(found(ipv4(132, bytes_of(header + "00 03 00 04 00 00 00 00")))), "malformed");
    EXPECT_EQ(said(found(ipv4(132, bytes_of(header + "03 00 00 00 00 00 00 00")))), "malformed") << "no way on";
    EXPECT_EQ(said(found(ipv4(132, bytes_of(header + "03 00 ff 00 00 00 00 00")))), "malformed");
}

TEST(FlowPacket, FragmentsAndOtherProtocolsAreToldApart) {
    Frame first = ipv4(17, kUdp);
    first[6] = std::byte{0x20};
    EXPECT_EQ(said(found(first)), "fragment");
    first[6] = std::byte{0};
    first[7] = std::byte{9};
    EXPECT_EQ(said(found(first)), "fragment");
    EXPECT_EQ(said(found(ipv6(44, joined(bytes_of("11 00 00 01 00 00 00 00"), kUdp)))), "fragment");
    EXPECT_EQ(said(found(ipv6(44, joined(bytes_of("11 00 00 08 00 00 00 00"), bytes_of("00 00"))))), "fragment");
    EXPECT_EQ(said(found(ipv6(44, joined(bytes_of("11 00 00 00 00 00 00 00"), kUdp)))), "5000>5001:5")
        << "an atomic fragment is whole [RFC 6946]";
    EXPECT_EQ(said(found(joined(ethernet("08 06"), ipv4(17, kUdp)), LinkType::ethernet)), "not ip");
    const Frame cooked = joined(std::vector<std::byte>(14), bytes_of("08 06"));
    EXPECT_EQ(said(found(joined(cooked, ipv4(17, kUdp)), LinkType::linux_sll)), "not ip");
}

TEST(FlowPacket, OfAShortSnapshotHasTheSizeOnTheWireOrIsCut) {
    const Frame whole = joined(ethernet("08 00"), ipv4(17, joined(bytes_of("13 88 13 89 03 f0 00 00"), Frame(1000))));
    for (std::size_t kept = 0; kept <= whole.size(); ++kept) {
        const FoundFlow flow = find_flow(std::span(whole).first(kept), LinkType::ethernet, whole.size());
        EXPECT_EQ(said(flow), kept < 14 + 20 + 8 ? "cut" : "5000>5001:1000") << kept;
    }
}

TEST(FlowPacket, LengthsThatContradictOneAnotherAreMalformed) {
    Frame longer = ipv4(17, kUdp);
    longer[3] = std::byte{200};  // more than the frame has, although it was not cut
    EXPECT_EQ(said(found(longer)), "malformed");
    Frame udp = ipv4(17, kUdp);
    udp[25] = std::byte{14};  // UDP says more than IP
    EXPECT_EQ(said(found(udp)), "malformed");
    udp[25] = std::byte{7};
    EXPECT_EQ(said(found(udp)), "malformed");
    Frame tcp = ipv4(6, kTcp);
    tcp[32] = std::byte{0x40};
    EXPECT_EQ(said(found(tcp)), "malformed");
    tcp[32] = std::byte{0xf0};
    EXPECT_EQ(said(found(tcp)), "malformed");
    Frame header = ipv4(17, kUdp);
    header[0] = std::byte{0x44};
    EXPECT_EQ(said(found(header)), "malformed");
}

TEST(FlowPacket, PaddingOfAShortFrameIsNoPayload) {
    EXPECT_EQ(said(found(joined(joined(ethernet("08 00"), ipv4(17, kUdp)), Frame(13)), LinkType::ethernet)),
              "5000>5001:5");
}

TEST(FlowPacket, NoiseIsReadWithinItsBounds) {
    std::mt19937 noise(7);
    for (int round = 0; round < 50'000; ++round) {
        Frame frame(noise() % 100);
        for (std::byte& byte : frame) {
            byte = static_cast<std::byte>(noise());
        }
        if (frame.size() > 15 and round % 2 == 0) {
            frame[0] = std::byte{0x45};
            constexpr std::array kProtocols{1, 6, 17, 33, 58, 132, 136};
            frame[9] = static_cast<std::byte>(kProtocols[noise() % kProtocols.size()]);
        }
        const FoundFlow flow = find_flow(frame, LinkType::raw, frame.size() + noise() % 3);
        if (flow.packet) {
            EXPECT_LE(flow.packet->size, 65'535U);
        }
    }
}

}  // namespace
}  // namespace groma
