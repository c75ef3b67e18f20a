// A session and a shipper's stream that exchange datagrams in virtual time.
#include "logserver/udp_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/common/shipping/datagram_keys.hpp"
#include "tests/logserver/recording_conversation.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

const DatagramKeys kKeys = test::keys_of(1);

class UdpSessionTest : public testing::Test {
protected:
    /// Until neither has anything to send now.
    void exchange() {
        for (bool more = true; more;) {
            const std::size_t there = shipper_.next_datagram(buffer_, now_);
            if (there > 0) {
                session_.on_datagram(std::span(buffer_).first(there), now_);
            }
            const std::size_t back = session_.next_datagram(buffer_, now_);
            if (back > 0) {
                (void)shipper_.on_datagram(std::span(buffer_).first(back), now_);
            }
            more = there + back > 0;
        }
    }
    void ship(std::span<const std::byte> bytes) {
        ASSERT_EQ(shipper_.write(bytes), bytes.size());
        exchange();
    }
    void answer(std::size_t bytes) { host_.answers->answer(std::vector<std::byte>(bytes)); }

    MonoTime now_{100s};
    LogServerTimes times_;
    int woken_ = 0;
    RecordingHost host_;
    UdpSession session_{{.identity = {false, 7, kKeys},
                         .stream = {},
                         .peer = {.name = "10.0.0.1:5", .host = "10.0.0.1"},
                         .route = {},
                         .times = times_,
                         .wake = [this] { ++woken_; }},
                        host_,
                        now_};
    DatagramStream shipper_{{true, 7, kKeys}, {}, now_};
    std::vector<std::byte> buffer_ = std::vector<std::byte>(kLongestDatagram);
};

TEST_F(UdpSessionTest, FramesReachTheConversationAndItsAnswersTheShipper) {
    ship(closing_frames(5, 6));
    EXPECT_THAT(host_.notes, ElementsAre("close 5", "close 6"));
    const auto answer = serialize(LogFrame(LogClosed{5}));
    host_.answers->answer(answer);
    EXPECT_EQ(woken_, 1);
    exchange();
    std::vector<std::byte> got(100);
    got.resize(shipper_.read(got));
    EXPECT_EQ(got, answer);
    EXPECT_FALSE(session_.over());
}

TEST_F(UdpSessionTest, TakesSoManyFramesInATurnAndAsksForAnother) {
    host_.read_again_at = now_ + 1s;
    ship(closing_frames(1, kFramesInTurn + 1));
    EXPECT_THAT(host_.notes, testing::IsEmpty());
    EXPECT_LE(session_.next_deadline(), host_.read_again_at);
    now_ = host_.read_again_at;
    session_.tick(now_);
    EXPECT_EQ(host_.notes.size(), kFramesInTurn);
    EXPECT_EQ(woken_, 1);
    session_.tick(now_);
    EXPECT_EQ(host_.notes.size(), kFramesInTurn + 1);
    EXPECT_EQ(woken_, 1);
}

TEST_F(UdpSessionTest, TellsTheConversationThatItsDeadlineHasCome) {
    host_.deadline = now_ + 1ms;
    EXPECT_EQ(session_.next_deadline(), host_.deadline);
    session_.tick(now_);
    EXPECT_THAT(host_.notes, testing::IsEmpty());
    now_ += 1ms;
    session_.tick(now_);
    EXPECT_THAT(host_.notes, ElementsAre("tick"));
}

TEST_F(UdpSessionTest, AShipperThatTakesNoAnswersIsLost) {
    answer(1U << 20U);
    session_.tick(now_);
    EXPECT_FALSE(session_.over());
    answer(1);
    EXPECT_THAT(host_.notes, testing::IsEmpty()) << "the conversation is not called from within what it says";
    session_.tick(now_);
    EXPECT_TRUE(session_.over());
    EXPECT_THAT(host_.notes, ElementsAre("lost: does not read what it is answered"));
}

TEST_F(UdpSessionTest, AfterItsLastAnswerItHearsNothingAndEndsWhenThatHasCome) {
    answer(3000);
    host_.answers->finish();
    answer(1);
    ship(closing_frames(5, 5));
    now_ += 5ms;  // the longest delay of an acknowledgement
    exchange();
    EXPECT_TRUE(session_.over());
    EXPECT_EQ(shipper_.readable(), 3000U);
    EXPECT_THAT(host_.notes, testing::IsEmpty());
}

TEST_F(UdpSessionTest, WaitsForTheLastAnswerToComeUntilTheFarewellIsOver) {
    host_.answers->finish();
    session_.tick(now_);
    EXPECT_LE(session_.next_deadline(), now_ + times_.farewell);
    now_ += times_.farewell - 1ns;
    session_.tick(now_);
    EXPECT_FALSE(session_.over());
    now_ += 1ns;
    session_.tick(now_);
    EXPECT_TRUE(session_.over());
}

TEST_F(UdpSessionTest, SaysHowTheShipperWasLost) {
    shipper_.close();
    exchange();
    EXPECT_TRUE(session_.over());
    EXPECT_THAT(host_.notes, ElementsAre("lost: closed the connection before its logs were complete"));
    host_.notes.clear();
    UdpSession silent(
        {.identity = {false, 8, kKeys}, .stream = {}, .peer = {}, .route = {}, .times = times_, .wake = [] {}}, host_,
        now_);
    now_ += 30s;
    EXPECT_EQ(silent.next_datagram(buffer_, now_), 0U);
    EXPECT_THAT(host_.notes, ElementsAre("lost: connection lost: nothing was heard of it for too long"));
    silent.stop("the log server was stopped");
    EXPECT_EQ(host_.notes.size(), 1U) << "it is lost once";
}

TEST_F(UdpSessionTest, RubbishIsToldWithThePeersName) {
    ship(std::vector<std::byte>(4, std::byte{0xff}));
    ASSERT_EQ(host_.notes.size(), 1U);
    EXPECT_THAT(host_.notes[0], testing::StartsWith("rubbish: 10.0.0.1:5: sent a frame of 4294967295 bytes"));
}

}  // namespace
}  // namespace groma
