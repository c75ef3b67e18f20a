#include "common/shipping/datagram/datagram_sender.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBytesOnWire = 1000;

/// A sender whose datagrams carry ten bytes of its stream each, and take `kBytesOnWire` on the wire.
class DatagramSenderTest : public testing::Test {
protected:
    void write(std::string_view text) { (void)sender.write(std::as_bytes(std::span(text))); }
    /// Sends the next datagram. Returns: its data as "OFFSET:TEXT", with a '.' after it if the stream ends there;
    /// "ping" or "" without data.
    std::string send() {
        const auto data = sender.next(10);
        if (not data and not sender.next_is_ping()) {
            return "";
        }
        std::string said = "ping";
        if (data) {
            const auto* const text = reinterpret_cast<const char*>(data->bytes.data());
            said = std::to_string(data->offset) + ':' + std::string(text, data->bytes.size()) + (data->last ? "." : "");
        }
        sender.on_sent(data, true, kBytesOnWire, now);
        return said;
    }
    bool acknowledge(std::vector<NumberRange> came, std::uint64_t limit = 1'000'000) {
        return sender.on_ack({.held_back = Nanos{0}, .limit = limit, .came = std::move(came)}, now);
    }

    MonoTime now{std::chrono::seconds(100)};
    DatagramSender sender{100'000, kBytesOnWire, now};
};

TEST_F(DatagramSenderTest, KeepsWhatWasWrittenUntilItIsAcknowledged) {
    DatagramSender small(15, kBytesOnWire, now);
    const std::string text = "0123456789abcdefghij";
    EXPECT_EQ(small.write(std::as_bytes(std::span(text))), 15U);
    EXPECT_EQ(small.room(), 0U);
    small.on_sent(small.next(10), true, kBytesOnWire, now);
    EXPECT_EQ(small.room(), 0U);
    ASSERT_TRUE(small.on_ack({.held_back = Nanos{0}, .limit = 100, .came = {{0, 1}}}, now));
    EXPECT_EQ(small.room(), 10U);
    small.finish();
    EXPECT_EQ(small.write(std::as_bytes(std::span(text))), 0U) << "the stream has ended";
}

TEST_F(DatagramSenderTest, IsDoneWhenTheEndIsAcknowledged) {
    write("0123456789");
    EXPECT_EQ(send(), "0:0123456789");
    sender.finish();
    ASSERT_TRUE(acknowledge({{0, 1}}));
    EXPECT_FALSE(sender.done());
    EXPECT_EQ(send(), "10:.");
    ASSERT_TRUE(acknowledge({{0, 2}}));
    EXPECT_TRUE(sender.done());
    EXPECT_EQ(send(), "");
}

TEST_F(DatagramSenderTest, SendsAgainWhatWasOvertakenByThree) {
    write("0123456789abcdefghijABCDEFGHIJ0123456789");
    for (int i = 0; i < 4; ++i) {
        (void)send();
    }
    ASSERT_TRUE(acknowledge({{1, 3}}));
    EXPECT_EQ(send(), "") << "two datagrams may have overtaken it";
    ASSERT_TRUE(acknowledge({{1, 4}}));
    EXPECT_EQ(sender.counts().lost, 1U);
    EXPECT_EQ(send(), "0:0123456789");
    EXPECT_EQ(sender.counts().again, 1U);
    ASSERT_TRUE(acknowledge({{4, 5}, {1, 4}}));
    EXPECT_EQ(sender.room(), 100'000U);
}

TEST_F(DatagramSenderTest, ALaterDatagramThatHasComeMakesAnOldOneLostInTime) {
    write("0123456789abcdefghij");
    (void)send();
    (void)send();
    now += 80ms;
    ASSERT_TRUE(acknowledge({{1, 2}}));
    EXPECT_EQ(sender.deadline(), now + 10ms) << "nine eighths of a round trip";
    now += 10ms - 1ns;
    sender.on_time(now);
    EXPECT_EQ(sender.counts().lost, 0U);
    now += 1ns;
    sender.on_time(now);
    EXPECT_EQ(send(), "0:0123456789");
}

TEST_F(DatagramSenderTest, AsksTwiceWhenNothingComesBack) {
    write("0123456789abcdefghijABCDEFGHIJ");
    for (int i = 0; i < 3; ++i) {
        (void)send();
    }
    EXPECT_EQ(send(), "");
    now = sender.deadline();
    sender.on_time(now);
    EXPECT_EQ(send(), "0:0123456789") << "what the peer misses longest";
    EXPECT_EQ(send(), "20:ABCDEFGHIJ") << "the end of what was sent";
    EXPECT_EQ(send(), "");
    EXPECT_EQ(sender.counts().probes, 2U);
    EXPECT_EQ(sender.silences(), 1U);
    ASSERT_TRUE(acknowledge({{3, 4}}));
    EXPECT_EQ(sender.silences(), 0U);
}

TEST_F(DatagramSenderTest, WaitsForThePeerToMakeRoomAndAsksForIt) {
    ASSERT_TRUE(acknowledge({}, 5));
    write(std::string((64U << 10U) + 1, 'x'));
    const auto data = sender.next(100'000);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->bytes.size(), 64U << 10U) << "what every receiver takes";
    sender.on_sent(data, true, kBytesOnWire, now);
    ASSERT_TRUE(acknowledge({{0, 1}}, 0));
    EXPECT_FALSE(sender.has_next());
    now = sender.deadline();
    sender.on_time(now);
    EXPECT_EQ(send(), "ping");
    ASSERT_TRUE(acknowledge({{1, 2}}, (64U << 10U) + 1));
    EXPECT_EQ(send(), "65536:x");
}

TEST_F(DatagramSenderTest, SendsNoMoreThanTheWindow) {
    write(std::string(1000, 'x'));
    int sent = 0;
    while (not send().empty()) {
        ++sent;
    }
    EXPECT_EQ(sent, 10);
    EXPECT_EQ(sender.in_flight(), 10 * kBytesOnWire);
    ASSERT_TRUE(acknowledge({{0, 2}}));
    EXPECT_EQ(sender.in_flight(), 8 * kBytesOnWire);
    EXPECT_NE(send(), "");
}

TEST_F(DatagramSenderTest, RefusesToBeAcknowledgedWhatItNeverSent) {
    write("0123456789");
    (void)send();
    EXPECT_FALSE(acknowledge({{0, 2}}));
    EXPECT_TRUE(acknowledge({{0, 1}}));
    EXPECT_TRUE(acknowledge({{0, 1}})) << "a repetition";
}

TEST_F(DatagramSenderTest, SendsAgainWhatIsTooLargeForThePath) {
    write("0123456789abcdefghij");
    (void)send();
    sender.on_sent(sender.next(10), true, 500, now);
    sender.limit_datagram(999);
    EXPECT_EQ(send(), "0:0123456789");
    EXPECT_EQ(send(), "");
}

}  // namespace
}  // namespace groma
