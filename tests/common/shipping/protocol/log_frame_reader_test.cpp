#include "common/shipping/protocol/log_frame_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "common/base/errors.hpp"
#include "tests/common/shipping/frame_feed.hpp"

namespace groma {
namespace {

TEST(LogFrameReader, GivesTheSameFramesWhateverPiecesTheStreamComesIn) {
    std::vector<std::byte> stream;
    for (const LogFrame& frame :
         {LogFrame{OpenLog{0, {}, "voip-1a2b3c4d", "sender"}}, LogFrame{LogDurable{0, 5}}, LogFrame{LogClosed{6}}}) {
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
    EXPECT_EQ(kinds, (std::vector<std::size_t>{2, 5, 8}));
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

TEST(LogFrameReader, TakesAFrameAsLongAsIsAllowedWhenItComes) {
    const auto piece = some_bytes(kMaxOtherFrame);
    const auto frame = serialize(LogPiece{1, 0, piece});
    LogFrameReader reader("test", frame.size() - kFrameLengthBytes - 1);
    feed(reader, frame);
    EXPECT_THROW((void)reader.next(), ProtocolError);
    reader.allow(frame.size() - kFrameLengthBytes);
    const auto read = reader.next();
    ASSERT_TRUE(read);
    EXPECT_TRUE(std::ranges::equal(std::get<LogPiece>(*read).bytes, piece));
}

TEST(LogFrameReader, IsAmidAFrameWhoseEndIsMissing) {
    const auto frame = serialize(LogClosed{6});
    LogFrameReader reader("test", kMaxOtherFrame);
    EXPECT_FALSE(reader.amid_frame());
    feed(reader, std::span(frame).first(frame.size() - 1));
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.amid_frame());
    feed(reader, std::span(frame).last(1));
    EXPECT_TRUE(reader.next());
    EXPECT_FALSE(reader.amid_frame());
}

}  // namespace
}  // namespace groma
