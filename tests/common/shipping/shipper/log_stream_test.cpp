#include "common/shipping/shipper/log_stream.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr MonoTime kSomeTime{100s};

class LogStreamTest : public testing::Test {
protected:
    /// What is next, in words.
    std::string next(MonoTime now = kSomeTime) {
        const auto due = log_.next(LogId{3}, numbers_, now);
        if (not due) {
            return "";
        }
        last_ = *due;
        if (const auto* piece = std::get_if<PieceDue>(&*due)) {
            EXPECT_EQ(piece->log, 3U);
            return "piece " + std::to_string(piece->piece);
        }
        const LogFrame& frame = std::get<LogFrame>(*due);
        if (const auto* open = std::get_if<OpenLog>(&frame)) {
            return "open as " + std::to_string(open->log);
        }
        if (const auto* give_up = std::get_if<GiveUpLog>(&frame)) {
            return "give up with " + std::to_string(give_up->pieces);
        }
        return "close " + std::to_string(std::get<CloseLog>(frame).log);
    }
    std::string say() {
        const std::string said = next();
        log_.sent(last_);
        return said;
    }
    template <typename Frame>
    LogNews hear(const Frame& frame) {
        return log_.heard(frame, kSomeTime);
    }
    /// On a new connection, on which the server has `pieces`.
    void open(std::uint64_t pieces = 0) {
        log_.connected();
        say();
        (void)hear(LogOpened{0, pieces});
    }

    std::string peer_ = "log server";
    LogStream log_{{OpenLog{9, {}, "games", "sender"}, 2, 5}, peer_};
    LogNumber numbers_ = 7;
    FrameDue last_;
};

TEST_F(LogStreamTest, ShipsWhatTheServerDoesNotHaveAndThenItsEnd) {
    log_.connected();
    EXPECT_FALSE(log_.is(7));
    EXPECT_EQ(say(), "open as 7");
    EXPECT_TRUE(log_.is(7));
    EXPECT_EQ(numbers_, 8U);
    EXPECT_EQ(next(), "") << "before it is opened";
    EXPECT_EQ(hear(LogOpened{7, 3}).pieces, 3U);
    log_.end(CloseLog{0, 5, 100, 42});
    EXPECT_EQ(say(), "piece 3");
    EXPECT_EQ(say(), "piece 4");
    EXPECT_TRUE(log_.awaits_answer());
    EXPECT_EQ(say(), "close 7");
    EXPECT_EQ(hear(LogClosed{7}).pieces, 5U);
    EXPECT_FALSE(log_.needs_connection());
    log_.connected();
    EXPECT_EQ(next(), "") << "it is over";
}

TEST_F(LogStreamTest, IsShippedAgainFromWhereTheServerStandsOnANewConnection) {
    open(2);
    say();
    say();
    (void)hear(LogDurable{7, 3});
    open(3);
    EXPECT_EQ(say(), "piece 3") << "what was sent and is not durable may be lost";
    log_.end(GiveUpLog{0, 99, "killed"});
    say();
    EXPECT_EQ(say(), "give up with 5");
}

TEST_F(LogStreamTest, AHeldLogSaysNothingUntilItGoesOn) {
    open(2);
    say();
    EXPECT_EQ(hear(LogHold{7, "full\n"}).reason, "full\\x0a");
    EXPECT_EQ(next(), "");
    EXPECT_THROW((void)hear(LogGoOn{7, 4}), ProtocolError) << "it was not sent";
    EXPECT_THROW((void)hear(LogGoOn{7, 1}), ProtocolError) << "it is durable";
    (void)hear(LogGoOn{7, 2});
    EXPECT_EQ(next(), "piece 2");
}

TEST_F(LogStreamTest, IsOpenedAgainASecondAfterATemporaryRefusal) {
    open(2);
    EXPECT_EQ(log_.open_again_at(), MonoTime::max());
    EXPECT_EQ(hear(LogRefused{7, true, "full"}).kind, LogNews::Kind::put_off);
    EXPECT_EQ(log_.open_again_at(), kSomeTime + 1s);
    EXPECT_FALSE(log_.is(7));
    EXPECT_EQ(next(kSomeTime + 1s - 1ns), "");
    EXPECT_EQ(next(kSomeTime + 1s), "open as 8");
}

TEST_F(LogStreamTest, FailsWhereTheServerLostPiecesOrHasOnesThatItCannotHave) {
    log_.connected();
    say();
    const LogNews lost = hear(LogOpened{7, 1});
    EXPECT_EQ(lost.kind, LogNews::Kind::refused);
    EXPECT_THAT(lost.reason, testing::HasSubstr("only 1 piece of the log, but 2 were safe there"));
    LogStream other({{}, 0, 5}, peer_);
    other.connected();
    other.sent(*other.next(1, numbers_, kSomeTime));
    EXPECT_EQ(other.heard(LogOpened{8, 6}, kSomeTime).kind, LogNews::Kind::refused);
}

TEST_F(LogStreamTest, RefusesFramesThatCannotBe) {
    log_.connected();
    say();
    EXPECT_THROW((void)hear(LogClosed{7}), ProtocolError);
    EXPECT_THROW((void)hear(LogGoOn{7, 2}), ProtocolError);
    (void)hear(LogOpened{7, 2});
    EXPECT_THROW((void)hear(LogOpened{7, 2}), ProtocolError);
    EXPECT_THROW((void)hear(LogDurable{7, 3}), ProtocolError);
    EXPECT_NO_THROW((void)hear(LogDurable{7, 2}));
}

}  // namespace
}  // namespace groma
