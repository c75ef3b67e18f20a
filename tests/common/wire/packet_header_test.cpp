#include "common/wire/packet_header.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace groma {
namespace {

using HeaderBytes = std::array<std::byte, kPacketHeaderSize>;

const PacketHeader kHeader{
    .seq = 0x01020304, .sent_at = wall_time_from_ns(0x1122334455667788), .flow = FlowId{0xA0B0C0D0}};

HeaderBytes bytes_of(const PacketHeader& header, std::size_t size = kPacketHeaderSize) {
    HeaderBytes bytes{};
    serialize(header, bytes, size);
    return bytes;
}

TEST(PacketHeader, IsTheseBytesOnTheWire) {
    constexpr std::array<unsigned char, kPacketHeaderSize> kGolden = {
        0x01, 0x02, 0x03, 0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66,
        0x77, 0x88, 0xA0, 0xB0, 0xC0, 0xD0, 0x67, 0x72, 0x01, 0x00,
    };
    const HeaderBytes bytes = bytes_of(kHeader);
    for (std::size_t i = 0; i < kGolden.size(); ++i) {
        EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), kGolden[i]) << "byte " << i;
    }
}

TEST(PacketHeader, ComesBackAsItWasSent) {
    const auto prefix = parse_packet(bytes_of(kHeader), HeaderLevel::full);
    ASSERT_TRUE(prefix);
    EXPECT_EQ(prefix->seq, kHeader.seq);
    EXPECT_EQ(prefix->sent_at, kHeader.sent_at);
    EXPECT_EQ(prefix->flow, kHeader.flow);
}

TEST(PacketHeader, KeepsTimesBeforeTheEpoch) {
    const PacketHeader header{.seq = 0, .sent_at = wall_time_from_ns(-1), .flow = FlowId{1}};
    const auto prefix = parse_packet(bytes_of(header), HeaderLevel::full);
    ASSERT_TRUE(prefix);
    EXPECT_EQ(prefix->sent_at, header.sent_at);
}

TEST(PacketHeader, WritesNotOneByteMoreThanAsked) {
    for (const std::size_t size : {0U, 4U, 12U}) {
        HeaderBytes bytes{};
        bytes.fill(std::byte{0xEE});
        serialize(kHeader, std::span(bytes).first(size), size);
        for (std::size_t i = size; i < bytes.size(); ++i) {
            EXPECT_EQ(bytes[i], std::byte{0xEE}) << "byte " << i << " of a header of " << size;
        }
    }
}

TEST(PacketHeader, ASmallPacketCarriesTheLongestPrefixThatFits) {
    const HeaderBytes bytes = bytes_of(kHeader);
    for (std::size_t size = 0; size < kPacketHeaderSize; ++size) {
        const auto prefix = parse_packet(std::span(bytes).first(size), HeaderLevel::full);
        ASSERT_TRUE(prefix) << size;
        EXPECT_EQ(prefix->seq.has_value(), size >= 4) << size;
        EXPECT_EQ(prefix->sent_at.has_value(), size >= 12) << size;
        EXPECT_FALSE(prefix->flow.has_value()) << size;
    }
}

TEST(PacketHeader, SequenceOnlyFlowsCarryNoTimeHoweverLargeThePacket) {
    const auto prefix = parse_packet(bytes_of(kHeader), HeaderLevel::sequence);
    ASSERT_TRUE(prefix);
    EXPECT_EQ(*prefix, (PacketPrefix{.seq = kHeader.seq, .sent_at = {}, .flow = {}}));
}

TEST(PacketHeader, FlowsWithoutAHeaderTakeAnyBytes) {
    const auto prefix = parse_packet(std::vector<std::byte>(1400), HeaderLevel::none);
    ASSERT_TRUE(prefix);
    EXPECT_EQ(*prefix, PacketPrefix{});
}

TEST(PacketHeader, AChangedMagicOrVersionIsNotOurs) {
    for (const std::size_t at : {16U, 17U, 18U}) {
        HeaderBytes bytes = bytes_of(kHeader);
        bytes[at] ^= std::byte{1};
        EXPECT_FALSE(parse_packet(bytes, HeaderLevel::full)) << "byte " << at;
    }
}

TEST(PacketHeader, FlagsOfALaterVersionDoNotDisturb) {
    HeaderBytes bytes = bytes_of(kHeader);
    bytes[19] = std::byte{0xFE};
    EXPECT_TRUE(parse_packet(bytes, HeaderLevel::full));
}

TEST(PacketHeader, AReplyIsNoPacketAndAPacketNoReply) {
    HeaderBytes bytes = bytes_of(kHeader);
    EXPECT_FALSE(parse_packet(bytes, HeaderLevel::full, PacketKind::reply));
    bytes[19] = std::byte{kReplyFlag};
    EXPECT_FALSE(parse_packet(bytes, HeaderLevel::full)) << "who answers packets must not answer replies";
    EXPECT_EQ(parse_packet(bytes, HeaderLevel::full, PacketKind::reply),
              parse_packet(bytes_of(kHeader), HeaderLevel::full));
}

TEST(SequenceUnwrapper, TheFirstNumberStandsForItself) {
    for (const std::uint32_t first : {0U, 1U, 0x7FFFFFFFU, 0x80000000U, 0x80000001U, 0xFFFFFFFFU}) {
        SequenceUnwrapper unwrapper;
        EXPECT_EQ(unwrapper.unwrap(first), first);
    }
}

TEST(SequenceUnwrapper, CountsOnBeyond32Bits) {
    SequenceUnwrapper unwrapper;
    std::uint64_t expected = 0;
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(unwrapper.unwrap(static_cast<std::uint32_t>(expected)), expected);
        expected += 0x40000001;
    }
    EXPECT_GT(expected, std::uint64_t{1} << 34U);
}

TEST(SequenceUnwrapper, APacketThatIsOvertakenAtTheWrapStaysBelowIt) {
    SequenceUnwrapper unwrapper;
    EXPECT_EQ(unwrapper.unwrap(0x7FFFFFFF), 0x7FFFFFFFU);
    EXPECT_EQ(unwrapper.unwrap(0xFFFFFFFE), 0xFFFFFFFEU);
    EXPECT_EQ(unwrapper.unwrap(0), 0x100000000U);
    EXPECT_EQ(unwrapper.unwrap(0xFFFFFFFF), 0xFFFFFFFFU);
    EXPECT_EQ(unwrapper.unwrap(1), 0x100000001U);
}

TEST(SequenceUnwrapper, NeverGoesBelowZero) {
    SequenceUnwrapper unwrapper;
    EXPECT_EQ(unwrapper.unwrap(5), 5U);
    EXPECT_EQ(unwrapper.unwrap(2), 2U);
    EXPECT_EQ(unwrapper.unwrap(0xFFFFFFFF), 0xFFFFFFFFU) << "there is no number -1";
}

}  // namespace
}  // namespace groma
