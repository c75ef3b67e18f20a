#include "common/wire/packet_format.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace groma {
namespace {

constexpr Token kKey = [] {
    Token key{};
    for (std::size_t i = 0; i < key.size(); ++i) {
        key[i] = static_cast<std::byte>(i);
    }
    return key;
}();
constexpr PacketHeader kContent{
    .seq = 0x01020304, .sent_at = wall_time_from_ns(0x1122334455667788), .flow = FlowId{0x0A0B0C0D}};
constexpr Reply kStampedContent{.header = {.seq = kContent.seq, .sent_at = kContent.sent_at, .flow = kContent.flow},
                                .stamps = {.reflected_at = wall_time_from_ns(0x2122232425262728),
                                           .replied_at = wall_time_from_ns(0x3132333435363738)}};

PacketFormat sealed(bool has_small_packets = false) {
    return {HeaderLevel::full, Seal{.key = mac_key(kKey), .has_small_packets = has_small_packets}};
}

template <typename Content>
std::vector<std::byte> written(const PacketFormat& format, const Content& content, std::size_t size) {
    std::vector<std::byte> packet(std::max(size, kSealedReply));
    const std::size_t start = format.write(content, size, packet);
    const PacketKind kind = std::same_as<Content, Reply> ? PacketKind::reply : PacketKind::packet;
    EXPECT_EQ(start, format.start_size(size, kind));
    packet.resize(start);
    return packet;
}

std::vector<std::byte> bytes(std::initializer_list<unsigned> values) {
    std::vector<std::byte> out;
    std::ranges::transform(values, std::back_inserter(out),
                           [](unsigned value) { return static_cast<std::byte>(value); });
    return out;
}

TEST(PacketFormat, ASealedPacketIsTheseBytes) {
    EXPECT_EQ(written(sealed(), kContent, 1000),
              bytes({0x01, 0x02, 0x03, 0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x0A, 0x0B,
                     0x0C, 0x0D, 0x67, 0x72, 0x02, 0x00, 0xC0, 0x34, 0x84, 0xAD, 0xE8, 0xA3, 0xA8, 0x04}));
}

TEST(PacketFormat, ASealedReplyIsTheseBytes) {
    EXPECT_EQ(written(sealed(), kStampedContent, 1000),
              bytes({0x01, 0x02, 0x03, 0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x0A, 0x0B, 0x0C,
                     0x0D, 0x67, 0x72, 0x02, 0x01, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x31, 0x32,
                     0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x01, 0x4A, 0xCD, 0x95, 0x91, 0x38, 0x98, 0x0B}));
}

TEST(PacketFormat, PacketsAndRepliesAreReadAsTheyWereWritten) {
    for (const std::size_t size : {28U, 43U, 44U, 45U, 1000U, 65'507U}) {
        const ReadPacket packet = sealed().read(written(sealed(), kContent, size), size, PacketKind::packet);
        ASSERT_TRUE(packet.packet) << size;
        EXPECT_EQ(packet.packet->header, kStampedContent.header) << size;
        const ReadPacket reply = sealed().read(written(sealed(), kStampedContent, size), size, PacketKind::reply);
        ASSERT_TRUE(reply.packet) << size;
        EXPECT_EQ(*reply.packet,
                  size < kSealedReply ? (Reply{.header = kStampedContent.header, .stamps = {}}) : kStampedContent)
            << size;
    }
}

/// What a stranger can change; each is forged.
template <typename Content>
void no_bit_can_be_changed(const Content& content, PacketKind kind, std::size_t size) {
    const std::vector<std::byte> good = written(sealed(), content, size);
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::vector<std::byte> changed = good;
            changed[at] ^= static_cast<std::byte>(1U << bit);
            const ReadPacket read = sealed(true).read(changed, size, kind);
            EXPECT_TRUE(read.forged and not read.packet) << at << '.' << bit;
        }
    }
}

TEST(PacketFormat, NoBitOfASealedPacketOrReplyCanBeChanged) {
    no_bit_can_be_changed(kContent, PacketKind::packet, 500);
    no_bit_can_be_changed(kStampedContent, PacketKind::reply, 500);
    no_bit_can_be_changed(kStampedContent, PacketKind::reply, 30);
}

TEST(PacketFormat, ItsSizeCannotBeChangedEither) {
    const std::vector<std::byte> packet = written(sealed(), kContent, 500);
    EXPECT_TRUE(sealed().read(packet, 500, PacketKind::packet).packet);
    EXPECT_TRUE(sealed().read(packet, 499, PacketKind::packet).forged);
    EXPECT_TRUE(sealed().read(packet, 501, PacketKind::packet).forged);
}

TEST(PacketFormat, ASealIsOfItsFlowsKeyAndOfItsKind) {
    Token other = kKey;
    other[15] ^= std::byte{1};
    const PacketFormat others{HeaderLevel::full, Seal{.key = mac_key(other)}};
    EXPECT_TRUE(sealed().read(written(others, kContent, 500), 500, PacketKind::packet).forged);
    // Who has no key can send a packet back as a reply, but it is none.
    EXPECT_FALSE(sealed().read(written(sealed(), kContent, 30), 30, PacketKind::reply).packet);
    EXPECT_FALSE(sealed().read(written(sealed(), kStampedContent, 30), 30, PacketKind::packet).packet);
}

TEST(PacketFormat, WhatHasNoRoomIsTakenOfFlowsThatHaveSuchPackets) {
    const PacketFormat clear{HeaderLevel::full};
    for (const std::size_t size : {1U, 4U, 12U, 20U, 27U}) {
        const std::vector<std::byte> packet = written(clear, kContent, size);
        EXPECT_EQ(written(sealed(true), kContent, size), packet) << size;
        EXPECT_TRUE(sealed(true).read(packet, size, PacketKind::packet).packet) << size;
        EXPECT_TRUE(sealed(false).read(packet, size, PacketKind::packet).forged) << size;
    }
    std::vector<std::byte> left_out = written(clear, kContent, 28);
    left_out.resize(28);
    EXPECT_TRUE(sealed(true).read(left_out, 28, PacketKind::packet).forged) << "nor can a seal be left out";
}

TEST(PacketFormat, AFlowWithoutSealsTakesNone) {
    const PacketFormat clear{HeaderLevel::full};
    const ReadPacket read = clear.read(written(sealed(), kContent, 500), 500, PacketKind::packet);
    EXPECT_FALSE(read.packet);
    EXPECT_FALSE(read.forged);
    for (const HeaderLevel level : {HeaderLevel::sequence, HeaderLevel::none}) {
        const PacketFormat format{level, Seal{.key = mac_key(kKey)}};
        EXPECT_EQ(format.start_size(500, PacketKind::packet), header_size(500, level))
            << "a seal needs all of the header";
    }
}

}  // namespace
}  // namespace groma
