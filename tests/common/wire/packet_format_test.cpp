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

PacketFormat sealed() {
    return {HeaderLevel::full, mac_key(kKey)};
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
            const ReadPacket read = sealed().read(changed, size, kind);
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
    const PacketFormat others{HeaderLevel::full, mac_key(other)};
    EXPECT_TRUE(sealed().read(written(others, kContent, 500), 500, PacketKind::packet).forged);
    // Who has no key can send a packet back as a reply, but it is none.
    EXPECT_TRUE(sealed().read(written(sealed(), kContent, 30), 30, PacketKind::reply).forged);
    EXPECT_TRUE(sealed().read(written(sealed(), kStampedContent, 30), 30, PacketKind::packet).forged);
}

TEST(PacketFormat, WhatHasNoRoomOrLeavesTheSealOutIsForged) {
    const PacketFormat clear{HeaderLevel::full};
    for (const std::size_t size : {1U, 4U, 12U, 20U, 27U, 28U, 500U}) {
        for (const PacketKind kind : {PacketKind::packet, PacketKind::reply}) {
            std::vector<std::byte> packet = written(clear, kContent, size);
            packet.resize(std::max(size, kSealedReply));
            const ReadPacket read = sealed().read(std::span(packet).first(size), size, kind);
            EXPECT_TRUE(read.forged and not read.packet) << size;
        }
    }
}

TEST(PacketFormat, AFlowWithoutSealsTakesNone) {
    const PacketFormat clear{HeaderLevel::full};
    const ReadPacket read = clear.read(written(sealed(), kContent, 500), 500, PacketKind::packet);
    EXPECT_FALSE(read.packet);
    EXPECT_FALSE(read.forged);
}

}  // namespace
}  // namespace groma
