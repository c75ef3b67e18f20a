#include "common/wire/reply.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace groma {
namespace {

using ReplyBytes = std::array<std::byte, kReplyHeaderSize>;

const Reply kReply{
    .header = {.seq = 0x01020304, .sent_at = wall_time_from_ns(0x1122334455667788), .flow = FlowId{9}},
    .stamps = {.reflected_at = wall_time_from_ns(0x0A0B0C0D0E0F1011), .replied_at = wall_time_from_ns(-2)}};

ReplyBytes bytes_of(const Reply& reply) {
    ReplyBytes bytes{};
    serialize(reply, bytes, bytes.size());
    return bytes;
}

TEST(Reply, IsTheseBytesOnTheWire) {
    constexpr std::array<unsigned char, kReplyHeaderSize> kGolden = {
        0x01, 0x02, 0x03, 0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x00, 0x00, 0x00, 0x09, 0x67, 0x72,
        0x01, 0x01, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
    };
    const ReplyBytes bytes = bytes_of(kReply);
    for (std::size_t i = 0; i < kGolden.size(); ++i) {
        EXPECT_EQ(std::to_integer<unsigned>(bytes[i]), kGolden[i]) << "byte " << i;
    }
}

TEST(Reply, ComesBackAsItWasSent) {
    EXPECT_EQ(parse_reply(bytes_of(kReply), HeaderLevel::full), kReply);
}

TEST(Reply, CutAtEveryByteCarriesTheLongestPrefixThatFits) {
    const ReplyBytes bytes = bytes_of(kReply);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const auto reply = parse_reply(std::span(bytes).first(size), HeaderLevel::full);
        ASSERT_TRUE(reply) << size;
        EXPECT_EQ(reply->header.seq.has_value(), size >= 4) << size;
        EXPECT_EQ(reply->header.sent_at.has_value(), size >= 12) << size;
        EXPECT_EQ(reply->header.flow.has_value(), size >= 20) << size;
        EXPECT_EQ(reply->stamps, ReplyStamps{}) << size;
    }
}

TEST(Reply, WritesNotOneByteMoreThanAsked) {
    for (const std::size_t size : {0U, 4U, 12U, 20U, 36U}) {
        std::array<std::byte, kReplyHeaderSize + 4> bytes{};
        bytes.fill(std::byte{0xEE});
        serialize(kReply, std::span(bytes).first(size), size);
        for (std::size_t i = size; i < bytes.size(); ++i) {
            EXPECT_EQ(bytes[i], std::byte{0xEE}) << "byte " << i << " of a reply of " << size;
        }
    }
}

TEST(Reply, OfAFlowWithLessOfAHeaderHasNoStampsHoweverLargeItIs) {
    EXPECT_EQ(reply_header_size(1400, HeaderLevel::sequence), 4U);
    EXPECT_EQ(reply_header_size(1400, HeaderLevel::none), 0U);
    const auto numbered = parse_reply(bytes_of(kReply), HeaderLevel::sequence);
    ASSERT_TRUE(numbered);
    EXPECT_EQ(*numbered, (Reply{.header = {.seq = kReply.header.seq, .sent_at = {}, .flow = {}}, .stamps = {}}));
    EXPECT_EQ(parse_reply(bytes_of(kReply), HeaderLevel::none), Reply{});
}

TEST(Reply, WithoutTheFlagIsNone) {
    for (const std::size_t at : {16U, 17U, 18U, 19U}) {
        ReplyBytes bytes = bytes_of(kReply);
        bytes[at] ^= std::byte{1};
        EXPECT_FALSE(parse_reply(bytes, HeaderLevel::full)) << "byte " << at;
    }
}

}  // namespace
}  // namespace groma
