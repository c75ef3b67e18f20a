#include "common/wire/stream_frame.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <random>
#include <vector>

namespace groma {
namespace {

using Stream = std::vector<std::byte>;

const PacketHeader kHeader{.seq = 77, .sent_at = wall_time_from_ns(1'700'000'000'123'456'789), .flow = FlowId{5}};

Stream bytes(std::initializer_list<unsigned> values) {
    Stream stream;
    for (const unsigned value : values) {
        stream.push_back(static_cast<std::byte>(value));
    }
    return stream;
}

/// A frame of `n` bytes as a sender makes it.
void append_frame(Stream& stream, std::size_t n, const PacketHeader& header = kHeader) {
    std::array<std::byte, kMaxStreamLengthBytes> length{};
    const std::size_t length_bytes = serialize_stream_length(n, length);
    const std::size_t begin = stream.size();
    stream.resize(begin + n, std::byte{0xAB});
    std::copy_n(length.begin(), length_bytes, stream.begin() + static_cast<std::ptrdiff_t>(begin));
    serialize(header, std::span(stream).subspan(begin + length_bytes),
              header_size(n - length_bytes, HeaderLevel::full));
}

std::vector<StreamFrame> parse_all(StreamFrameParser& parser, std::span<const std::byte> piece) {
    std::vector<StreamFrame> frames;
    while (const auto frame = parser.next(piece)) {
        frames.push_back(*frame);
    }
    return frames;
}

TEST(StreamFrame, LengthsAreTheseBytes) {
    const auto length = [](std::size_t n) {
        std::array<std::byte, kMaxStreamLengthBytes> out{};
        const std::size_t count = serialize_stream_length(n, out);
        return Stream(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count));
    };
    EXPECT_EQ(length(1), bytes({0x01}));
    EXPECT_EQ(length(127), bytes({0x7F}));
    EXPECT_EQ(length(128), bytes({0x80, 0x01}));
    EXPECT_EQ(length(16383), bytes({0xFF, 0x7F}));
    EXPECT_EQ(length(16384), bytes({0x80, 0x80, 0x01}));
    EXPECT_EQ(length(kMaxStreamFrame), bytes({0x80, 0x80, 0x40}));
}

TEST(StreamFrame, TheLengthTakesItsRoomFromTheHeaderOfASmallFrame) {
    EXPECT_EQ(header_bytes_for(Transport::tcp, 1, HeaderLevel::full), 0U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 4, HeaderLevel::full), 0U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 5, HeaderLevel::full), 4U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 13, HeaderLevel::full), 12U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 20, HeaderLevel::full), 12U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 21, HeaderLevel::full), 20U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 21, HeaderLevel::sequence), 4U);
    EXPECT_EQ(header_bytes_for(Transport::tcp, 2000, HeaderLevel::none), 0U);
    EXPECT_EQ(header_bytes_for(Transport::udp, 20, HeaderLevel::full), 20U);
}

TEST(StreamFrame, TheLargestPacketThatAFlowMayHaveCanBeFramed) {
    EXPECT_LE(size_limits(Transport::tcp).largest, kMaxStreamFrame);
    EXPECT_GE(size_limits(Transport::tcp).smallest, 1U);
}

TEST(StreamFrame, AFrameOfOneByteIsTheByteOne) {
    StreamFrameParser parser(HeaderLevel::full);
    const Stream stream = bytes({1, 1, 1});
    EXPECT_EQ(parse_all(parser, stream), std::vector<StreamFrame>(3, {.size = 1, .header = PacketPrefix{}}));
    EXPECT_FALSE(parser.within_frame());
}

TEST(StreamFrame, EverySizeComesBackWithWhatItCouldCarry) {
    for (const std::size_t n : {1U, 4U, 5U, 12U, 13U, 20U, 21U, 127U, 128U, 1400U, 16384U, kMaxStreamFrame}) {
        Stream stream;
        append_frame(stream, n);
        ASSERT_EQ(stream.size(), n);
        StreamFrameParser parser(HeaderLevel::full);
        const auto frames = parse_all(parser, stream);
        ASSERT_EQ(frames.size(), 1U) << n;
        EXPECT_EQ(frames[0].size, n);
        ASSERT_TRUE(frames[0].header) << n;
        EXPECT_EQ(frames[0].header->seq.has_value(), n >= 5) << n;
        EXPECT_EQ(frames[0].header->sent_at.has_value(), n >= 13) << n;
        EXPECT_EQ(frames[0].header->flow.has_value(), n >= 21) << n;
        EXPECT_EQ(frames[0].header->flow.value_or(kHeader.flow), kHeader.flow) << n;
    }
}

TEST(StreamFrame, FedByteByByteGivesTheSameAsFedWhole) {
    std::mt19937 random(20240607);
    Stream stream;
    for (std::uint32_t i = 0; i < 200; ++i) {
        append_frame(stream, 1 + random() % 600, {.seq = i, .sent_at = kHeader.sent_at, .flow = FlowId{5}});
    }
    StreamFrameParser whole(HeaderLevel::full);
    const auto expected = parse_all(whole, stream);
    ASSERT_EQ(expected.size(), 200U);

    StreamFrameParser parser(HeaderLevel::full);
    std::vector<StreamFrame> frames;
    for (const std::byte& byte : stream) {
        for (const StreamFrame& frame : parse_all(parser, std::span(&byte, 1))) {
            frames.push_back(frame);
        }
    }
    EXPECT_EQ(frames, expected);
}

TEST(StreamFrame, FillerThatIsPassedOverGivesTheSameAsFillerThatIsFed) {
    std::mt19937 random(20261122);
    Stream stream;
    for (std::uint32_t i = 0; i < 300; ++i) {
        append_frame(stream, 1 + random() % 600, {.seq = i, .sent_at = kHeader.sent_at, .flow = FlowId{5}});
    }
    StreamFrameParser whole(HeaderLevel::full);
    const auto expected = parse_all(whole, stream);

    StreamFrameParser parser(HeaderLevel::full);
    std::vector<StreamFrame> frames;
    std::size_t passed_over = 0;
    for (std::span<const std::byte> left = stream; not left.empty();) {
        const std::size_t skip = parser.filler_left() > 0 ? 1 + random() % parser.filler_left() : 0;
        parser.pass_over(skip);
        passed_over += skip;
        left = left.subspan(skip);
        const std::size_t fed = skip > 0 ? 0 : std::min<std::size_t>(left.size(), 1 + random() % 50);
        const auto more = parse_all(parser, left.first(fed));
        frames.insert(frames.end(), more.begin(), more.end());
        left = left.subspan(fed);
    }
    EXPECT_EQ(frames, expected);
    EXPECT_GT(passed_over, stream.size() / 2);
}

TEST(StreamFrame, NoFillerIsLeftBeforeTheHeaderIsKnown) {
    Stream stream;
    append_frame(stream, 300);
    StreamFrameParser parser(HeaderLevel::full);
    for (std::size_t i = 0; i < 2 + kPacketHeaderSize; ++i) {
        EXPECT_EQ(parser.filler_left(), 0U) << i;
        EXPECT_TRUE(parse_all(parser, std::span(stream).subspan(i, 1)).empty());
    }
    EXPECT_EQ(parser.filler_left(), 300 - 2 - kPacketHeaderSize);
}

TEST(StreamFrame, AnEndWithinAFrameIsKnownAtEveryByte) {
    Stream stream;
    append_frame(stream, 300);
    for (std::size_t cut = 1; cut < stream.size(); ++cut) {
        StreamFrameParser parser(HeaderLevel::full);
        EXPECT_TRUE(parse_all(parser, std::span(stream).first(cut)).empty());
        EXPECT_TRUE(parser.within_frame()) << cut;
        EXPECT_FALSE(parser.failed()) << cut;
    }
}

TEST(StreamFrame, ImpossibleLengthsEndTheParsingForGood) {
    const std::vector<Stream> hostile = {
        bytes({0x00}),                    // nothing
        bytes({0x80, 0x00}),              // 0 in two bytes
        bytes({0x81, 0x00}),              // 1 in two bytes
        bytes({0xFF, 0x80, 0x00}),        // 127 in three bytes
        bytes({0x81, 0x80, 0x40}),        // one byte above 1 MiB
        bytes({0xFF, 0xFF, 0x7F}),        // 2 MiB
        bytes({0x80, 0x80, 0x80, 0x01}),  // four bytes
    };
    for (const Stream& start : hostile) {
        Stream stream = start;
        append_frame(stream, 50);
        StreamFrameParser parser(HeaderLevel::full);
        EXPECT_TRUE(parse_all(parser, stream).empty());
        EXPECT_TRUE(parser.failed());
        Stream good;
        append_frame(good, 50);
        EXPECT_TRUE(parse_all(parser, good).empty()) << "a stream that lost its frames cannot find them again";
    }
}

TEST(StreamFrame, AFrameWithAForeignMagicIsPassedOverAndTheNextOneRead) {
    Stream stream;
    append_frame(stream, 100);
    stream[1 + 16] ^= std::byte{1};
    append_frame(stream, 60);
    StreamFrameParser parser(HeaderLevel::full);
    const auto frames = parse_all(parser, stream);
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_FALSE(frames[0].header);
    EXPECT_TRUE(frames[1].header);
}

const Reply kReply{.header = {.seq = 77, .sent_at = kHeader.sent_at, .flow = FlowId{5}},
                   .stamps = {.reflected_at = wall_time_from_ns(-1), .replied_at = wall_time_from_ns(1LL << 60)}};

void append_reply(Stream& stream, std::size_t n) {
    std::array<std::byte, kMaxStreamLengthBytes> length{};
    const std::size_t length_bytes = serialize_stream_length(n, length);
    const std::size_t begin = stream.size();
    stream.resize(begin + n);
    std::copy_n(length.begin(), length_bytes, stream.begin() + static_cast<std::ptrdiff_t>(begin));
    serialize(kReply, std::span(stream).subspan(begin + length_bytes),
              reply_header_size(n - length_bytes, HeaderLevel::full));
}

TEST(StreamFrame, RepliesOfEverySizeComeBackWithWhatTheyCouldCarry) {
    for (const std::size_t n : {1U, 5U, 13U, 21U, 36U, 37U, 127U, 129U, 130U, 16384U, kMaxStreamFrame}) {
        Stream stream;
        append_reply(stream, n);
        StreamFrameParser parser(HeaderLevel::full, PacketKind::reply);
        const auto frames = parse_all(parser, stream);
        ASSERT_EQ(frames.size(), 1U) << n;
        EXPECT_EQ(frames[0].size, n);
        ASSERT_TRUE(frames[0].header) << n;
        EXPECT_EQ(frames[0].header->seq.has_value(), n >= 5) << n;
        EXPECT_EQ(frames[0].stamps, n >= 37 ? kReply.stamps : ReplyStamps{}) << n;
    }
}

TEST(StreamFrame, RepliesFedByteByByteGiveTheSameAsFedWhole) {
    Stream stream;
    for (const std::size_t n : {200U, 3U, 36U, 37U, 20U}) {
        append_reply(stream, n);
    }
    StreamFrameParser whole(HeaderLevel::full, PacketKind::reply);
    StreamFrameParser parser(HeaderLevel::full, PacketKind::reply);
    std::vector<StreamFrame> frames;
    for (const std::byte& byte : stream) {
        for (const StreamFrame& frame : parse_all(parser, std::span(&byte, 1))) {
            frames.push_back(frame);
        }
    }
    EXPECT_EQ(frames.size(), 5U);
    EXPECT_EQ(frames, parse_all(whole, stream));
}

TEST(StreamFrame, AReplyOnTheWayOfPacketsIsPassedOver) {
    Stream stream;
    append_reply(stream, 100);
    append_frame(stream, 60);
    StreamFrameParser parser(HeaderLevel::full);
    const auto frames = parse_all(parser, stream);
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_FALSE(frames[0].header);
    EXPECT_TRUE(frames[1].header);
}

}  // namespace
}  // namespace groma
