#include "common/control/message_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/control/messages.hpp"

namespace groma {
namespace {

std::array<char, kMessageLengthBytes> head_of(const std::string& frame) {
    std::array<char, kMessageLengthBytes> head{};
    frame.copy(head.data(), head.size());
    return head;
}

TEST(MessageFrame, BeginsWithItsLengthInFourBytes) {
    EXPECT_EQ(message_frame("abc", "hello"), std::string("\0\0\0\3abc", 7));
    EXPECT_EQ(message_frame("", "hello"), std::string(4, '\0'));
}

TEST(MessageFrame, ItsLengthComesBackWhateverItIs) {
    for (const std::size_t length : {0U, 1U, 0x80U, 0xffU, 0x1234U, 0x00fedcU}) {
        EXPECT_EQ(parse_message_length(head_of(message_frame(std::string(length, 'x'), "hello"))), length);
    }
    EXPECT_EQ(parse_message_length({'\xff', '\xfe', '\xfd', '\xfc'}), 0xfffefdfcU)
        << "of a peer that is no Groma program";
}

TEST(MessageFrame, OneThatIsTooLongIsAnErrorThatNamesTheMessage) {
    EXPECT_EQ(message_frame(std::string(kMaxMessageBytes, 'x'), "open_flows").size(), kMaxMessageBytes + 4);
    try {
        (void)message_frame(std::string(kMaxMessageBytes + 1, 'x'), "open_flows");
        FAIL() << "framed";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(),
                    testing::StartsWith("cannot send the control message 'open_flows': it has 16777217 bytes"));
    }
}

}  // namespace
}  // namespace groma
