#include "common/shipping/datagram/datagram_receiver.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "common/shipping/datagram/datagram_rtt.hpp"

namespace groma {
namespace {

constexpr MonoTime kCameAt{std::chrono::seconds(100)};
constexpr MonoTime kNoAck = MonoTime::max();

DataField text_at(std::uint64_t offset, std::string_view text, bool last = false) {
    return {.offset = offset, .bytes = std::as_bytes(std::span(text)), .last = last};
}

std::string read_text(DatagramReceiver& receiver, std::size_t most = 100) {
    std::string text(most, '\0');
    text.resize(receiver.read(std::as_writable_bytes(std::span(text))));
    return text;
}

TEST(DatagramReceiver, GivesTheBytesInOrderOnceTheGapIsFilled) {
    DatagramReceiver receiver(100);
    EXPECT_TRUE(receiver.take(text_at(3, "def")));
    EXPECT_EQ(receiver.readable(), 0U);
    EXPECT_TRUE(receiver.take(text_at(0, "abcd")));
    EXPECT_EQ(read_text(receiver, 2), "ab");
    EXPECT_TRUE(receiver.take(text_at(1, "bcdefg"))) << "some of it was read";
    EXPECT_EQ(read_text(receiver), "cdefg");
}

TEST(DatagramReceiver, HoldsNoMoreThanItsBuffer) {
    DatagramReceiver receiver(8);
    EXPECT_FALSE(receiver.take(text_at(1, "bcdefghi")));
    EXPECT_TRUE(receiver.take(text_at(0, "abcdefgh")));
    EXPECT_EQ(read_text(receiver, 3), "abc");
    EXPECT_FALSE(receiver.take(text_at(8, "ijkl")));
    EXPECT_TRUE(receiver.take(text_at(8, "ijk")));
    EXPECT_EQ(read_text(receiver), "defghijk");
}

TEST(DatagramReceiver, HoldsNoMorePartsThanItMay) {
    DatagramReceiver receiver(1U << 16U);
    for (std::uint64_t part = 1; part <= 1024; ++part) {
        ASSERT_TRUE(receiver.take(text_at(2 * part, "x"))) << part;
    }
    EXPECT_FALSE(receiver.take(text_at(2050, "x")));
    EXPECT_TRUE(receiver.take(text_at(0, "xx"))) << "what is due is taken";
    EXPECT_EQ(receiver.readable(), 3U);
}

TEST(DatagramReceiver, RefusesWhatContradictsTheEnd) {
    DatagramReceiver receiver(100);
    EXPECT_TRUE(receiver.take(text_at(2, "c")));
    EXPECT_FALSE(receiver.take(text_at(0, "ab", true))) << "more has come";
    EXPECT_TRUE(receiver.take(text_at(0, "abc", true)));
    EXPECT_FALSE(receiver.take(text_at(3, "d")));
    EXPECT_FALSE(receiver.take(text_at(0, "ab", true)));
    EXPECT_FALSE(receiver.take(text_at(0, "abcd", true)));
    EXPECT_TRUE(receiver.take(text_at(0, "abc", true))) << "a repetition";
    EXPECT_FALSE(receiver.ended());
    EXPECT_EQ(read_text(receiver), "abc");
    EXPECT_TRUE(receiver.ended());
}

TEST(DatagramReceiver, AcknowledgesEverySecondDatagramAndAtOnceWhatIsOutOfOrder) {
    DatagramReceiver receiver(100);
    receiver.came(0, false, kCameAt);
    EXPECT_EQ(receiver.ack_due(), kNoAck);
    receiver.came(1, true, kCameAt);
    EXPECT_EQ(receiver.ack_due(), kCameAt + kLongestAckDelay);
    receiver.came(2, true, kCameAt + Nanos(1));
    EXPECT_EQ(receiver.ack_due(), kCameAt + Nanos(1));
    (void)receiver.acknowledge(1, kCameAt);
    EXPECT_FALSE(receiver.has_news());
    receiver.came(4, true, kCameAt);
    EXPECT_EQ(receiver.ack_due(), kCameAt);
}

TEST(DatagramReceiver, NamesTheHighestRangesFirstAndHowLongTheHighestWaited) {
    DatagramReceiver receiver(100);
    for (const std::uint64_t number : {0U, 1U, 3U, 5U}) {
        receiver.came(number, true, kCameAt);
    }
    receiver.came(2, true, kCameAt + Nanos(7));
    const AckField two = receiver.acknowledge(2, kCameAt + Nanos(10));
    EXPECT_EQ(two, (AckField{.held_back = Nanos(10), .limit = 100, .came = {{5, 6}, {0, 4}}}));
    EXPECT_EQ(receiver.acknowledge(1, kCameAt).came, (std::vector<NumberRange>{{5, 6}}));
}

TEST(DatagramReceiver, ForgetsTheLowestOfTooManyRangesAndTakesNoneOfThemAgain) {
    DatagramReceiver receiver(100);
    for (std::uint64_t i = 1; i <= kMostAckRanges; ++i) {
        receiver.came(2 * i, true, kCameAt);
    }
    EXPECT_FALSE(receiver.had(1));
    receiver.came(2 * kMostAckRanges + 2, true, kCameAt);
    EXPECT_TRUE(receiver.had(1)) << "it may have come";
    EXPECT_TRUE(receiver.had(2));
    EXPECT_FALSE(receiver.had(3));
    const AckField all = receiver.acknowledge(1000, kCameAt);
    ASSERT_EQ(all.came.size(), kMostAckRanges);
    EXPECT_EQ(all.came.back(), (NumberRange{4, 5}));
}

TEST(DatagramReceiver, TellsAtOnceThatHalfOfItsBufferIsFreeAgain) {
    DatagramReceiver receiver(8);
    (void)receiver.acknowledge(1, kCameAt);
    ASSERT_TRUE(receiver.take(text_at(0, "abcdefgh")));
    (void)read_text(receiver, 3);
    EXPECT_EQ(receiver.ack_due(), kNoAck);
    (void)read_text(receiver, 1);
    EXPECT_EQ(receiver.ack_due(), MonoTime{});
    EXPECT_EQ(receiver.acknowledge(1, kCameAt).limit, 12U);
}

}  // namespace
}  // namespace groma
