#include "common/shipping/protocol/log_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/base/errors.hpp"
#include "tests/common/shipping/frame_feed.hpp"

namespace groma {
namespace {

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
    EXPECT_EQ(std::get<LogOpened>(round_trip(LogOpened{6, 1ULL << 40U})), (LogOpened{6, 1ULL << 40U}));
    EXPECT_EQ(std::get<LogDurable>(round_trip(LogDurable{6, 77})), (LogDurable{6, 77}));
    const CloseLog close{6, 3, 1ULL << 50U, 0xfedcba9876543210ULL};
    EXPECT_EQ(std::get<CloseLog>(round_trip(close)), close);
    EXPECT_EQ(std::get<LogClosed>(round_trip(LogClosed{6})), LogClosed{6});
    EXPECT_EQ(std::get<ShipperHello>(round_trip(ShipperHello{2, "alpha"})), (ShipperHello{2, "alpha"}));
    EXPECT_EQ(std::get<ServerWelcome>(round_trip(ServerWelcome{7})), ServerWelcome{7});
    const GiveUpLog give_up{6, 12, "killed"};
    EXPECT_EQ(std::get<GiveUpLog>(round_trip(give_up)), give_up);
    EXPECT_EQ(std::get<LogHold>(round_trip(LogHold{6, "disk"})), (LogHold{6, "disk"}));
    EXPECT_EQ(std::get<LogGoOn>(round_trip(LogGoOn{6, 9})), (LogGoOn{6, 9}));
    const LogRefused refused{6, true, "full"};
    EXPECT_EQ(std::get<LogRefused>(round_trip(refused)), refused);
}

TEST(LogFrames, CarryThePiecesOfALogUnchanged) {
    const auto bytes = some_bytes(kMaxPieceBytes);
    LogFrameReader reader("test", kMaxPieceFrame);
    feed(reader, serialize(LogPiece{6, 9, bytes}));
    const auto frame = reader.next();
    ASSERT_TRUE(frame);
    const auto& piece = std::get<LogPiece>(*frame);
    EXPECT_EQ(piece.number, 9U);
    EXPECT_TRUE(std::ranges::equal(piece.bytes, bytes));
}

TEST(LogFrames, AreTheBytesThatTheDocumentSays) {
    const std::vector<unsigned char> golden = {0, 0, 0, 16, 5, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1, 2, 'a', 'b', 'c'};
    const auto bytes = serialize(LogPiece{7, 258, std::as_bytes(std::span("abc", 3))});
    EXPECT_TRUE(std::ranges::equal(bytes, std::as_bytes(std::span(golden))));
}

TEST(LogFrames, RefuseEveryTruncationAndEveryByteTooMany) {
    const std::vector<LogFrame> frames = {ShipperHello{2, "alpha"},  ServerWelcome{},  example_open(),
                                          LogOpened{0, 1},           LogDurable{0, 1}, CloseLog{0, 1, 2, 3},
                                          GiveUpLog{0, 1, "killed"}, LogClosed{0},     LogRefused{0, false, "no"},
                                          LogHold{0, "full"},        LogGoOn{0, 1}};
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
