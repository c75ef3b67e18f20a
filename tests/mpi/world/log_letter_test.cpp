#include "mpi/world/log_letter.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

const LogFrame kFrame = LogDurable{.log = 3, .pieces = 9};

std::vector<std::byte> letter_with(const std::vector<std::byte>& frame) {
    return serialize(LogLetter{77, LogLetter::Kind::frame, frame});
}

TEST(LogLetter, CarriesAFrameOfAConnection) {
    const std::vector<std::byte> bytes = letter_with(serialize(kFrame));
    const LogLetter letter = parse_log_letter(bytes, "rank 1");
    EXPECT_EQ(letter.connection, 77U);
    EXPECT_EQ(std::get<LogDurable>(frame_of(letter, kMaxOtherFrame, "rank 1")), std::get<LogDurable>(kFrame));
}

TEST(LogLetter, SaysThatAConnectionHasEnded) {
    const std::vector<std::byte> bytes = serialize(LogLetter{8, LogLetter::Kind::end, {}});
    EXPECT_EQ(parse_log_letter(bytes, "rank 1").kind, LogLetter::Kind::end);
}

TEST(LogLetter, CutAtAnyByteIsRefused) {
    const std::vector<std::byte> bytes = letter_with(serialize(kFrame));
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const std::span<const std::byte> cut(bytes.data(), size);
        EXPECT_THROW((void)frame_of(parse_log_letter(cut, "rank 1"), kMaxOtherFrame, "rank 1"), ProtocolError) << size;
    }
}

TEST(LogLetter, OfAnotherKindIsRefused) {
    std::vector<std::byte> bytes = letter_with(serialize(kFrame));
    bytes[4] = std::byte{2};
    EXPECT_THROW((void)parse_log_letter(bytes, "rank 1"), ProtocolError);
}

TEST(LogLetter, WithAFrameThatIsLongerThanAllowedIsRefused) {
    const std::vector<std::byte> piece(kMaxOtherFrame);
    const std::vector<std::byte> bytes = letter_with(serialize(LogPiece{.log = 1, .number = 0, .bytes = piece}));
    const LogLetter letter = parse_log_letter(bytes, "rank 1");
    EXPECT_THROW((void)frame_of(letter, kMaxOtherFrame, "rank 1"), ProtocolError);
    EXPECT_EQ(std::get<LogPiece>(frame_of(letter, kMaxPieceFrame, "rank 1")).bytes.size(), piece.size());
}

}  // namespace
}  // namespace groma
