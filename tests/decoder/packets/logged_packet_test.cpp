#include "decoder/packets/logged_packet.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "common/wire/captured_packet.hpp"
#include "common/wire/reply.hpp"
#include "common/wire/stream_frame.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

constexpr FlowId kFlow{1};

FlowSetup& flow_of(SampleLog& log) {
    return log.metadata.flows.front();
}

SampleLog log_of(LogRole role, Transport transport = Transport::udp) {
    SampleLog log = empty_log(role);
    flow_of(log).spec.transport = transport;
    flow_of(log).local_address = role == LogRole::sender ? "10.0.0.1:5000" : "10.0.0.2:6000";
    flow_of(log).remote_address = role == LogRole::sender ? "10.0.0.2:6000" : "10.0.0.1";
    return log;
}

struct Drawn {
    std::vector<std::byte> bytes;
    LoggedPackets::Image image;
    [[nodiscard]] std::vector<std::byte> payload() const {
        const auto found = parse_captured(bytes, LinkType::ethernet);
        return found ? std::vector<std::byte>(found->payload.begin(), found->payload.end()) : std::vector<std::byte>();
    }
};

template <typename Record>
Drawn draw(LoggedPackets& packets, const Record& record, FlowId flow = kFlow) {
    Drawn drawn;
    drawn.image = packets.draw({.log = 0, .flow = flow, .at = {}, .record = record}, drawn.bytes);
    return drawn;
}

std::string ports(const std::vector<std::byte>& packet) {
    const auto at = [&](std::size_t i) { return std::to_integer<unsigned>(packet[i]); };
    return std::to_string(at(34) * 256 + at(35)) + ">" + std::to_string(at(36) * 256 + at(37));
}

TEST(LoggedPacket, CarriesWhatItsHeaderCarried) {
    LoggedPackets packets(log_of(LogRole::sender).metadata, {});
    for (const std::uint32_t size : {1U, 3U, 4U, 11U, 12U, 19U, 20U, 1400U}) {
        const auto record = sent_packet(7, 5'000, size);
        const Drawn drawn = draw(packets, record);
        EXPECT_EQ(drawn.image.length, 42 + size);
        EXPECT_EQ(drawn.image.direction, PcapngDirection::outbound);
        EXPECT_EQ(drawn.payload().size(), header_size(size, HeaderLevel::full));
        const auto header = parse_packet(drawn.payload(), HeaderLevel::full);
        ASSERT_TRUE(header);
        EXPECT_EQ(header->seq, size >= 4 ? std::optional(7U) : std::nullopt);
        EXPECT_EQ(header->sent_at, size >= 12 ? std::optional(record.sent_at) : std::nullopt);
        EXPECT_EQ(header->flow, size >= 20 ? std::optional(kFlow) : std::nullopt);
        EXPECT_EQ(ports(drawn.bytes), "5000>6000");
    }
}

TEST(LoggedPacket, OfAReceiverHasTheSendersPortWhenTheSendersLogIsThere) {
    const SampleLog sender = log_of(LogRole::sender);
    const SampleLog receiver = log_of(LogRole::receiver);
    const auto record = received_packet(7, 5'000, 100);
    LoggedPackets alone(receiver.metadata, {});
    EXPECT_EQ(ports(draw(alone, record).bytes), "0>6000");
    LoggedPackets both(receiver.metadata, {&sender.metadata});
    const Drawn drawn = draw(both, record);
    EXPECT_EQ(ports(drawn.bytes), "5000>6000");
    EXPECT_EQ(drawn.image.direction, PcapngDirection::inbound);
    EXPECT_EQ(drawn.bytes[22], std::byte{64});
}

TEST(LoggedPacket, HasTheHeaderFieldsThatWereNoted) {
    LoggedPackets packets(log_of(LogRole::receiver).metadata, {});
    ReceivedRecord record = received_packet(7, 5'000, 100);
    record.ttl = 61;
    record.ds_byte = 0xb8;
    const Drawn drawn = draw(packets, record);
    EXPECT_EQ(drawn.bytes[22], std::byte{61});
    EXPECT_EQ(drawn.bytes[15], std::byte{0xb8});
}

TEST(LoggedPacket, SaysNoMoreThanItsRecord) {
    LoggedPackets packets(log_of(LogRole::receiver).metadata, {});
    ReceivedRecord record = received_packet(7, 5'000, 100);
    record.sent_at = ReceivedRecord::kNoTime;
    EXPECT_EQ(draw(packets, record).payload().size(), 4U);
    record.seq = ReceivedRecord::kNoSeq;
    EXPECT_TRUE(draw(packets, record).payload().empty());
}

TEST(LoggedPacket, ThatCameBackIsAReplyWithItsStamps) {
    LoggedPackets packets(log_of(LogRole::sender).metadata, {});
    RoundTripRecord record{.seq = 7,
                           .sent_at = wall_time_from_ns(kStartNs),
                           .returned_at = wall_time_from_ns(kStartNs + 90),
                           .reflected_at = wall_time_from_ns(kStartNs + 40),
                           .replied_at = wall_time_from_ns(kStartNs + 50),
                           .size = 36};
    const Drawn drawn = draw(packets, record);
    const auto reply = parse_reply(drawn.payload(), HeaderLevel::full);
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->header.seq, 7U);
    EXPECT_EQ(reply->stamps, (ReplyStamps{record.reflected_at, record.replied_at}));
    EXPECT_EQ(ports(drawn.bytes), "6000>5000");
    EXPECT_EQ(drawn.image.direction, PcapngDirection::inbound);
    record.size = 35;
    EXPECT_EQ(draw(packets, record).payload().size(), 20U);
}

TEST(LoggedPacket, OfAStreamIsAFrameAtItsPlace) {
    LoggedPackets packets(log_of(LogRole::sender, Transport::tcp).metadata, {});
    std::uint32_t at = 1;
    for (const std::uint32_t size : {1U, 5U, 127U, 128U, 100'000U}) {
        const Drawn drawn = draw(packets, sent_packet(7, 0, size));
        const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(drawn.bytes[i]); };
        EXPECT_EQ(byte(38) << 24U | byte(39) << 16U | byte(40) << 8U | byte(41), at);
        at += size;
        std::vector<std::byte> whole(drawn.bytes.begin() + 54, drawn.bytes.end());
        whole.resize(size);
        std::span<const std::byte> piece = whole;
        StreamFrameParser parser(HeaderLevel::full);
        const auto frame = parser.next(piece);
        ASSERT_TRUE(frame);
        EXPECT_EQ(frame->size, size);
    }
    EXPECT_TRUE(draw(packets, sent_packet(7, 0, 0)).payload().empty());
    EXPECT_TRUE(draw(packets, sent_packet(7, 0, 4'000'000'000)).payload().empty());
}

TEST(LoggedPacket, OfAnUnknownFlowOrAddressIsDrawnBetweenAddressesForDocumentation) {
    SampleLog log = log_of(LogRole::sender);
    flow_of(log).local_address = "nonsense";
    LoggedPackets packets(log.metadata, {});
    EXPECT_EQ(draw(packets, sent_packet(1, 0)).bytes[26], std::byte{192});
    EXPECT_EQ(draw(packets, sent_packet(1, 0), FlowId{99}).bytes[30], std::byte{192});
    flow_of(log).local_address = "[fd99::1]:5000";
    flow_of(log).remote_address = "";
    LoggedPackets mixed(log.metadata, {});
    const Drawn drawn = draw(mixed, sent_packet(1, 0));
    EXPECT_EQ(drawn.bytes[38], std::byte{0x20}) << "2001:db8::2";
    EXPECT_EQ(drawn.image.length, 62U + 500);
}

TEST(LoggedPacket, EndsAreReadFromTheTextsOfALog) {
    const auto end = [](std::string_view text) { return parse_packet_end(text); };
    EXPECT_EQ(end("10.0.0.1:41234")->port, 41234);
    EXPECT_EQ(end("10.0.0.1:41234")->address[3], std::byte{1});
    EXPECT_EQ(end("10.0.0.1")->port, 0);
    EXPECT_EQ(end("[fd99::1]:5000")->port, 5000);
    EXPECT_TRUE(end("[fd99::1]:5000")->ipv6);
    EXPECT_TRUE(end("fd99::1")->ipv6);
    EXPECT_EQ(end("fd99::1")->address[15], std::byte{1});
    EXPECT_FALSE(end("[::ffff:10.0.0.1]:7")->ipv6);
    for (const char* wrong : {"", ":", "host:1", "10.0.0.1:x", "10.0.0.1:99999", "[", "]", "[]:1", "10.0.0.1:1:1"}) {
        EXPECT_FALSE(end(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace groma
