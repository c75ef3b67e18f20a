#include "common/shipping/shipper/shipping_conversation.hpp"

#include <gtest/gtest.h>

#include <random>

namespace groma {
namespace {

using Kind = LogNews::Kind;

constexpr MonoTime kNow{std::chrono::seconds(100)};

LogToShip log_called(const std::string& name, std::uint64_t handed = 0) {
    return {OpenLog{0, LogToken{}, "voip-1a2b3c4d", name}, 0, handed};
}

/// A conversation with its messages so far as text: "hello", "open a as 0", "piece 0/2", "close 0", ...
class Talk : public testing::Test {
protected:
    /// Sends all messages that are due.
    std::vector<std::string> say() {
        std::vector<std::string> said;
        while (const auto due = conversation.next(now)) {
            said.push_back(words(*due));
            conversation.sent();
        }
        return said;
    }
    std::vector<LogNews> hear(const LogFrame& frame) { return conversation.hear(frame, now); }
    /// A connection on which all logs have been opened from `pieces` on.
    void open_all(std::uint64_t pieces = 0) {
        conversation.connected();
        say();
        hear(ServerWelcome{});
        const std::size_t logs = say().size();
        for (LogNumber log = 0; log < logs; ++log) {
            hear(LogOpened{log, pieces});
        }
    }

    static std::string words(const FrameDue& due) {
        if (const auto* piece = std::get_if<PieceDue>(&due)) {
            return "piece " + std::to_string(piece->number_of_log) + '/' + std::to_string(piece->piece);
        }
        const LogFrame& frame = std::get<LogFrame>(due);
        if (const auto* open = std::get_if<OpenLog>(&frame)) {
            return "open " + open->name + " as " + std::to_string(open->log);
        }
        if (const auto* close = std::get_if<CloseLog>(&frame)) {
            return "close " + std::to_string(close->log) + " with " + std::to_string(close->pieces);
        }
        if (const auto* give_up = std::get_if<GiveUpLog>(&frame)) {
            return "give up " + std::to_string(give_up->log) + " with " + std::to_string(give_up->pieces);
        }
        return std::holds_alternative<ShipperHello>(frame) ? "hello" : "?";
    }

    MonoTime now = kNow;
    ShippingConversation conversation{"log server", "here"};
};

using Said = std::vector<std::string>;

TEST_F(Talk, GreetsAndOpensWhenItIsWelcome) {
    conversation.add(log_called("a", 2));
    conversation.connected();
    EXPECT_EQ(say(), Said{"hello"});
    EXPECT_EQ(say(), Said{});
    hear(ServerWelcome{});
    EXPECT_EQ(say(), Said{"open a as 0"});
    const auto news = hear(LogOpened{0, 0});
    ASSERT_EQ(news.size(), 1U);
    EXPECT_EQ(news[0].kind, Kind::opened);
    EXPECT_EQ(say(), (Said{"piece 0/0", "piece 0/1"}));
}

TEST_F(Talk, LogsTakeTurns) {
    conversation.add(log_called("a", 3));
    conversation.add(log_called("b", 2));
    conversation.add(log_called("c", 1));
    open_all();
    EXPECT_EQ(say(), (Said{"piece 0/0", "piece 1/0", "piece 2/0", "piece 0/1", "piece 1/1", "piece 0/2"}));
}

TEST_F(Talk, ClosesWhatIsWhole) {
    const LogId log = conversation.add(log_called("a", 1));
    open_all();
    conversation.end(log, CloseLog{0, 1, 100, 42});
    EXPECT_EQ(say(), (Said{"piece 0/0", "close 0 with 1"}));
    EXPECT_TRUE(conversation.needs_connection());
    EXPECT_EQ(hear(LogClosed{0}).at(0).kind, Kind::closed);
    EXPECT_FALSE(conversation.needs_connection());
}

TEST_F(Talk, SaysOfALogWithoutEndHowMuchOfItThereIs) {
    const LogId log = conversation.add(log_called("a", 2));
    conversation.end(log, GiveUpLog{0, 2, "its writer died"});
    open_all(2);
    EXPECT_EQ(say(), Said{"give up 0 with 2"});
    EXPECT_EQ(hear(LogClosed{0}).at(0).kind, Kind::closed);
}

TEST_F(Talk, ASpoolThatLostItsEndDoesNotShortenWhatTheServerHas) {
    const LogId log = conversation.add(log_called("a", 2));
    conversation.end(log, GiveUpLog{0, 2, "its writer died"});
    open_all(5);
    EXPECT_EQ(say(), Said{"give up 0 with 5"});
}

TEST_F(Talk, GoesOnOnANewConnectionWhereTheServerSays) {
    conversation.add(log_called("a", 5));
    open_all();
    say();
    hear(LogDurable{0, 2});
    open_all(3);
    EXPECT_EQ(say(), (Said{"piece 0/3", "piece 0/4"}));
}

TEST_F(Talk, RepeatsACloseThatWasNotAnswered) {
    const LogId log = conversation.add(log_called("a", 1));
    conversation.end(log, CloseLog{0, 1, 100, 42});
    open_all();
    say();
    open_all(1);
    EXPECT_EQ(say(), Said{"close 0 with 1"});
}

TEST_F(Talk, AHeldLogRestsAndTheOthersGoOn) {
    conversation.add(log_called("a", 3));
    conversation.add(log_called("b", 1));
    open_all();
    hear(LogHold{0, "the disk is full"});
    EXPECT_EQ(say(), Said{"piece 1/0"});
    hear(LogGoOn{0, 0});
    EXPECT_EQ(say(), (Said{"piece 0/0", "piece 0/1", "piece 0/2"}));
}

TEST_F(Talk, AHoldComesBackToWhatWasDropped) {
    const LogId log = conversation.add(log_called("a", 3));
    conversation.end(log, CloseLog{0, 3, 100, 42});
    open_all();
    say();
    EXPECT_EQ(hear(LogHold{0, "the disk is full"}).at(0).reason, "the disk is full");
    EXPECT_EQ(say(), Said{});
    hear(LogGoOn{0, 1});
    EXPECT_EQ(say(), (Said{"piece 0/1", "piece 0/2", "close 0 with 3"}));
}

TEST_F(Talk, ALogThatWasPutOffComesBackUnderAnotherNumber) {
    conversation.add(log_called("a", 1));
    conversation.connected();
    say();
    hear(ServerWelcome{});
    say();
    EXPECT_EQ(hear(LogRefused{0, true, "too many logs"}).at(0).kind, Kind::put_off);
    EXPECT_EQ(say(), Said{});
    ASSERT_LT(conversation.next_deadline(), MonoTime::max());
    now = conversation.next_deadline();
    EXPECT_EQ(say(), Said{"open a as 1"});
}

TEST_F(Talk, ARefusalEndsItsLogOnly) {
    conversation.add(log_called("a", 1));
    conversation.add(log_called("b", 1));
    open_all();
    const auto news = hear(LogRefused{0, false, "too long\x1b[2J"});
    EXPECT_EQ(news.at(0).kind, Kind::refused);
    EXPECT_EQ(news.at(0).reason, "refused: too long\\x1b[2J");
    EXPECT_EQ(say(), Said{"piece 1/0"});
}

TEST_F(Talk, ARefusalOfTheConnectionIsForNowOrForGood) {
    conversation.connected();
    say();
    EXPECT_THROW(hear(LogRefused{kWholeConnection, true, "full"}), LogServerBusy);
    EXPECT_THROW(hear(LogRefused{kWholeConnection, false, "no"}), LogServerRefusal);
}

TEST_F(Talk, AnotherVersionIsNoServerToTalkTo) {
    conversation.connected();
    say();
    EXPECT_THROW(hear(ServerWelcome{kLogProtocolVersion + 1}), LogServerRefusal);
}

TEST_F(Talk, WhatIsForgottenIsNotSpokenOf) {
    const LogId first = conversation.add(log_called("a", 5));
    conversation.add(log_called("b", 1));
    open_all();
    conversation.forget(first);
    EXPECT_EQ(say(), Said{"piece 1/0"});
    EXPECT_TRUE(hear(LogDurable{0, 0}).empty());
}

TEST_F(Talk, NeedsNoConnectionWhileEverythingIsConfirmed) {
    const LogId log = conversation.add(log_called("a", 1));
    EXPECT_TRUE(conversation.needs_connection());
    open_all();
    say();
    EXPECT_TRUE(conversation.needs_connection());
    hear(LogDurable{0, 1});
    EXPECT_FALSE(conversation.needs_connection());
    conversation.handed(log, 2);
    EXPECT_TRUE(conversation.needs_connection());
}

// Servers that lie.

TEST_F(Talk, AServerThatLostWhatItHadConfirmedIsNotTrusted) {
    conversation.add(log_called("a", 5));
    open_all();
    say();
    hear(LogDurable{0, 4});
    conversation.connected();
    say();
    hear(ServerWelcome{});
    say();
    const auto news = hear(LogOpened{0, 3});
    EXPECT_EQ(news.at(0).kind, Kind::refused);
    EXPECT_NE(news.at(0).reason.find("4 were safe"), std::string::npos) << news.at(0).reason;
}

TEST_F(Talk, AServerCannotHaveMoreThanThereIs) {
    conversation.add(log_called("a", 5));
    conversation.connected();
    say();
    hear(ServerWelcome{});
    say();
    EXPECT_EQ(hear(LogOpened{0, 6}).at(0).kind, Kind::refused);
}

TEST_F(Talk, AServerCannotConfirmWhatWasNotSent) {
    conversation.add(log_called("a", 5));
    open_all();
    EXPECT_THROW(hear(LogDurable{0, 1}), ProtocolError);
}

TEST_F(Talk, AServerCannotCloseWhatIsOpen) {
    conversation.add(log_called("a", 1));
    open_all();
    EXPECT_THROW(hear(LogClosed{0}), ProtocolError);
}

TEST_F(Talk, AServerCannotGoOnBeyondWhatItGotNorBeforeWhatItKeeps) {
    conversation.add(log_called("a", 5));
    open_all();
    say();
    hear(LogDurable{0, 2});
    hear(LogHold{0, "full"});
    EXPECT_THROW(hear(LogGoOn{0, 6}), ProtocolError);
    EXPECT_THROW(hear(LogGoOn{0, 1}), ProtocolError);
}

TEST_F(Talk, AServerSpeaksOnlyOfWhatItWasTold) {
    conversation.add(log_called("a", 1));
    conversation.connected();
    EXPECT_THROW(hear(LogOpened{0, 0}), ProtocolError);
    say();
    EXPECT_THROW(hear(LogDurable{7, 0}), ProtocolError);
    EXPECT_THROW(hear(ShipperHello{}), ProtocolError);
    EXPECT_THROW(hear(LogPiece{}), ProtocolError);
}

TEST_F(Talk, WhateverAServerSaysNothingIsForgottenThatItDidNotConfirm) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 300; ++round) {
        ShippingConversation talk("log server", "here");
        const LogId id = talk.add(log_called("a", 8));
        std::uint64_t durable = 0;
        std::uint64_t sent = 0;
        talk.connected();
        for (int step = 0; step < 60; ++step) {
            if (const auto due = talk.next(kNow); due and random() % 2 == 0) {
                if (const auto* piece = std::get_if<PieceDue>(&*due)) {
                    ASSERT_LT(piece->piece, 8U);
                    sent = std::max(sent, piece->piece + 1);
                }
                talk.sent();
                continue;
            }
            const std::uint64_t pieces = random() % 10;
            const std::vector<LogFrame> frames{ServerWelcome{},        LogOpened{0, pieces}, LogDurable{0, pieces},
                                               LogHold{0, ""},         LogGoOn{0, pieces},   LogClosed{0},
                                               LogRefused{0, true, ""}};
            try {
                for (const LogNews& news : talk.hear(frames[random() % frames.size()], kNow)) {
                    ASSERT_EQ(news.log, id);
                    ASSERT_NE(news.kind, Kind::closed);
                    if (news.kind == Kind::opened) {
                        ASSERT_GE(news.pieces, durable);
                        sent = std::max(sent, news.pieces);
                    }
                    if (news.kind == Kind::durable) {
                        ASSERT_LE(news.pieces, sent);
                        durable = news.pieces;
                    }
                }
            } catch (const ProtocolError&) {
                talk.connected();
            }
        }
    }
}

}  // namespace
}  // namespace groma
