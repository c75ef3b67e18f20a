#include "common/log/log_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {
namespace {

std::vector<std::byte> some_bytes(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(i * 7 + 3);
    }
    return bytes;
}

void feed(LogFrameReader& reader, std::span<const std::byte> bytes) {
    while (not bytes.empty()) {
        const auto space = reader.space();
        const std::size_t count = std::min(space.size(), bytes.size());
        std::ranges::copy(bytes.first(count), space.begin());
        reader.filled(count);
        bytes = bytes.subspan(count);
    }
}

LogFrame round_trip(const LogFrame& frame) {
    LogFrameReader reader("test", kMaxPieceFrame);
    feed(reader, serialize(frame));
    return reader.next().value();
}

OpenLog example_open() {
    OpenLog open;
    open.token.fill(std::byte{0xab});
    open.experiment = "voip-1a2b3c4d";
    open.name = "sender";
    return open;
}

TEST(LogFrames, SurviveTheWire) {
    EXPECT_EQ(std::get<OpenLog>(round_trip(example_open())), example_open());
    EXPECT_EQ(std::get<LogOpened>(round_trip(LogOpened{1ULL << 40U})), (LogOpened{1ULL << 40U}));
    EXPECT_EQ(std::get<LogDurable>(round_trip(LogDurable{77})), (LogDurable{77}));
    const CloseLog close{3, 1ULL << 50U, 0xfedcba9876543210ULL};
    EXPECT_EQ(std::get<CloseLog>(round_trip(close)), close);
    EXPECT_EQ(std::get<LogClosed>(round_trip(LogClosed{})), LogClosed{});
    const LogRefused refused{true, "full"};
    EXPECT_EQ(std::get<LogRefused>(round_trip(refused)), refused);
}

TEST(LogFrames, CarryThePiecesOfALogUnchanged) {
    const auto bytes = some_bytes(kMaxPieceBytes);
    LogFrameReader reader("test", kMaxPieceFrame);
    feed(reader, serialize(LogPiece{9, bytes}));
    const auto frame = reader.next();
    ASSERT_TRUE(frame);
    const auto& piece = std::get<LogPiece>(*frame);
    EXPECT_EQ(piece.number, 9U);
    EXPECT_TRUE(std::ranges::equal(piece.bytes, bytes));
}

TEST(LogFrames, AreTheBytesThatTheDocumentSays) {
    const std::vector<unsigned char> golden = {0, 0, 0, 12, 3, 0, 0, 0, 0, 0, 0, 1, 2, 'a', 'b', 'c'};
    const auto bytes = serialize(LogPiece{258, std::as_bytes(std::span("abc", 3))});
    EXPECT_TRUE(std::ranges::equal(bytes, std::as_bytes(std::span(golden))));
}

TEST(LogFrameReader, GivesTheSameFramesWhateverPiecesTheStreamComesIn) {
    std::vector<std::byte> stream;
    for (const LogFrame& frame : {LogFrame{example_open()}, LogFrame{LogDurable{5}}, LogFrame{LogClosed{}}}) {
        const auto bytes = serialize(frame);
        stream.insert(stream.end(), bytes.begin(), bytes.end());
    }
    LogFrameReader reader("test", kMaxOtherFrame);
    std::vector<std::size_t> kinds;
    for (const std::byte byte : stream) {
        feed(reader, std::span(&byte, 1));
        while (const auto frame = reader.next()) {
            kinds.push_back(frame->index());
        }
    }
    EXPECT_EQ(kinds, (std::vector<std::size_t>{0, 3, 5}));
    EXPECT_FALSE(reader.amid_frame());
}

TEST(LogFrameReader, RefusesALongFrameBeforeItTakesMemoryForIt) {
    LogFrameReader reader("10.0.0.9:5", kMaxOtherFrame);
    feed(reader, std::as_bytes(std::span("GET / HTTP/1.1", 14)));
    EXPECT_THROW((void)reader.next(), ProtocolError);
    EXPECT_LE(reader.space().size(), 2 * kMaxOtherFrame);
}

TEST(LogFrameReader, RefusesAnEmptyFrame) {
    LogFrameReader reader("test", kMaxOtherFrame);
    feed(reader, some_bytes(0));
    const std::vector<std::byte> empty(4);
    feed(reader, empty);
    EXPECT_THROW((void)reader.next(), ProtocolError);
}

TEST(LogFrames, RefuseEveryTruncationAndEveryByteTooMany) {
    const std::vector<LogFrame> frames = {example_open(),    LogOpened{1}, LogDurable{1},
                                          CloseLog{1, 2, 3}, LogClosed{},  LogRefused{false, "no"}};
    for (const LogFrame& frame : frames) {
        auto bytes = serialize(frame);
        bytes.erase(bytes.begin(), bytes.begin() + 4);
        for (std::size_t length = 0; length < bytes.size(); ++length) {
            EXPECT_THROW((void)parse_log_frame(std::span(bytes).first(length), "test"), ProtocolError);
        }
        bytes.push_back(std::byte{0});
        EXPECT_THROW((void)parse_log_frame(bytes, "test"), ProtocolError);
    }
}

TEST(LogFrames, RefuseUnknownTypes) {
    const std::vector<std::byte> bytes(9, std::byte{99});
    EXPECT_THROW((void)parse_log_frame(bytes, "test"), ProtocolError);
}

}  // namespace
}  // namespace groma
