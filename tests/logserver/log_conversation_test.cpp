// Conversations of a log server with shippers: logs arrive at once, in pieces, or again.
#include <gtest/gtest.h>

#include "tests/logserver/log_conversation_fixture.hpp"

namespace groma {
namespace {

TEST_F(LogConversationTest, ManyLogsTravelOnOneConnection) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    EXPECT_EQ(shipper.sink.last<ServerWelcome>(), ServerWelcome{});
    shipper.open(1, "sender");
    shipper.open(2, "receiver", 2);
    EXPECT_EQ(shipper.sink.last_opened(), (LogOpened{2, 0}));
    shipper.piece(0, "abc", 1);
    shipper.piece(0, "x", 2);
    shipper.piece(1, "def", 1);
    shipper.say(totals_of(1, "abcdef", 2));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{1});
    shipper.say(totals_of(2, "x", 1));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{2});
    EXPECT_EQ(stored(), "abcdef");
    EXPECT_EQ(stored("receiver.glog"), "x");
    EXPECT_EQ(core().counters().of(Counted::logs_completed), 2U);
}

TEST_F(LogConversationTest, NothingIsAcknowledgedBeforeItIsDue) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    EXPECT_EQ(shipper.sink.last_opened(), (LogOpened{7, 0}));
    pass(std::chrono::seconds(1));
    EXPECT_EQ(shipper.sink.last<LogDurable>(), (LogDurable{7, 1}));
    EXPECT_EQ(entry().bytes, 3U);
}

TEST_F(LogConversationTest, EveryPieceIsAcknowledgedWhenEveryBlockIsSynced) {
    settings_.sync = SyncPolicy::block;
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    EXPECT_EQ(shipper.sink.last<LogDurable>(), (LogDurable{7, 1}));
}

TEST_F(LogConversationTest, ANewConnectionIsToldWhatIsDurableAlready) {
    const Shipper first(core(), clock_);
    first.greet();
    first.open();
    first.piece(0, "abc");
    pass(std::chrono::seconds(1));
    first.piece(1, "def");
    const Shipper second(core(), clock_, "10.0.0.1:40001");
    second.greet();
    second.open(3);
    EXPECT_EQ(second.sink.last_opened(), (LogOpened{3, 2}));
    EXPECT_EQ(second.sink.last<LogDurable>(), (LogDurable{3, 1}));
    pass(std::chrono::seconds(1));
    EXPECT_EQ(second.sink.last<LogDurable>(), (LogDurable{3, 2}));
}

TEST_F(LogConversationTest, ARepeatedPieceIsDroppedAndAMissingOneEndsTheLog) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.piece(0, "abc");
    EXPECT_EQ(core().counters().of(Counted::pieces_repeated), 1U);
    shipper.piece(2, "x");
    EXPECT_EQ(shipper.sink.last<LogRefused>().log, 7U);
    EXPECT_FALSE(shipper.sink.finished);
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_EQ(entry().pieces, 1U);
}

TEST_F(LogConversationTest, TheSameWriterTakesOverOnAnotherConnection) {
    const Shipper first(core(), clock_);
    first.greet();
    first.open();
    first.piece(0, "abc");
    const Shipper second(core(), clock_, "10.0.0.1:40001");
    second.greet();
    second.open(3);
    EXPECT_EQ(second.sink.last_opened(), (LogOpened{3, 1}));
    EXPECT_EQ(first.sink.last<LogRefused>().log, 7U);
    first.piece(1, "from a ghost");
    second.piece(1, "def", 3);
    second.say(totals_of(3, "abcdef", 2));
    EXPECT_EQ(second.sink.last<LogClosed>(), LogClosed{3});
    EXPECT_EQ(stored(), "abcdef");
}

TEST_F(LogConversationTest, AFullQuotaHoldsLogsUntilThereIsRoom) {
    settings_.max_disk = 10;
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "12345678");
    shipper.piece(1, "abc");
    EXPECT_NE(shipper.sink.last<LogHold>().reason.find("--max-disk"), std::string::npos);
    shipper.piece(2, "def");
    shipper.say(totals_of(7, "12345678abcdef", 3));
    EXPECT_TRUE(std::holds_alternative<LogHold>(shipper.sink.frames.back()));
    EXPECT_EQ(core().counters().of(Counted::pieces_held), 2U);
    EXPECT_EQ(shipper.sink.frames.size(), 3U);

    const Shipper other(core(), clock_);
    other.greet();
    other.open(1, "receiver", 2);
    EXPECT_TRUE(other.sink.last<LogRefused>().try_again);
}

TEST_F(LogConversationTest, AfterAHoldWhatWasDroppedComesAgain) {
    settings_.max_disk = 100;
    {
        const Shipper big(core(), clock_);
        big.greet();
        big.open(1, "big", 9);
        big.piece(0, std::string(95, 'x'), 1);
        big.say(totals_of(1, std::string(95, 'x'), 1));
    }
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "12345678");
    EXPECT_EQ(shipper.sink.last<LogHold>().log, 7U);
    LogCatalogue pruner(directory_.path(), LogCatalogue::Access::write);
    EXPECT_TRUE(pruner.forget(entry("big").id, false, [] {}));
    pass(std::chrono::seconds(1));
    EXPECT_EQ(shipper.sink.last<LogGoOn>(), (LogGoOn{7, 0}));
    shipper.piece(1, "sent before the shipper heard of it");
    shipper.piece(0, "12345678");
    shipper.piece(1, "9");
    shipper.say(totals_of(7, "123456789", 2));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{7});
    EXPECT_EQ(stored(), "123456789");
}

TEST_F(LogConversationTest, AHeldShipperMayBeSilent) {
    settings_.max_disk = 1;
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "12345678");
    clock_.advance(std::chrono::minutes(6));
    shipper.conversation->tick(clock_.now());
    EXPECT_FALSE(shipper.sink.finished);
    EXPECT_GT(shipper.conversation->next_deadline(), clock_.now());
}

TEST_F(LogConversationTest, APartialLogIsKeptWithItsReason) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.say(GiveUpLog{7, 1, "its writer died"});
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{7});
    EXPECT_EQ(state_text(entry()), "incomplete: its writer died");
    EXPECT_EQ(stored("sender.glog.part"), "abc");
}

TEST_F(LogConversationTest, WhoGivesUpALogThatIsCompleteIsToldThatItIsClosed) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.piece(1, "def");
    shipper.say(totals_of(7, "abcdef", 2));
    ASSERT_EQ(entry().state, LogState::complete);
    // A delivery of a spool after a loss of power may have less of the log than the server.
    for (const std::uint64_t pieces : {1U, 2U}) {
        const Shipper again(core(), clock_);
        again.greet();
        again.open();
        again.say(GiveUpLog{7, pieces, "its writer died"});
        EXPECT_EQ(again.sink.last<LogClosed>(), LogClosed{7});
        EXPECT_EQ(entry().state, LogState::complete);
    }
    const Shipper liar(core(), clock_);
    liar.greet();
    liar.open();
    liar.say(GiveUpLog{7, 3, "its writer died"});
    EXPECT_EQ(liar.sink.last<LogRefused>().reason, "the log is given up after 3 pieces, but here are 2");
    EXPECT_EQ(entry().state, LogState::complete);
}

TEST_F(LogConversationTest, AnIncompleteLogSaysWhyItsConnectionEnded) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.conversation->on_lost("connection lost: Connection reset by peer");
    EXPECT_EQ(state_text(entry()), "incomplete: connection lost: Connection reset by peer");
    EXPECT_EQ(entry().pieces, 1U);
}

TEST_F(LogConversationTest, ReadingIsSlowedDownToTheRate) {
    settings_.max_rate = 1000;
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    EXPECT_LE(shipper.conversation->read_again_at(), clock_.now());
    shipper.piece(0, std::string(2000, 'x'));
    EXPECT_EQ(shipper.conversation->read_again_at(), clock_.now() + std::chrono::seconds(2));
}

TEST_F(LogConversationTest, AServerThatEndsMakesDurableWhatCame) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    bool stopped = false;
    core().stop([&] { stopped = true; });
    EXPECT_TRUE(stopped);
    EXPECT_EQ(state_text(entry()), "incomplete: the log server was stopped");
    EXPECT_EQ(entry().bytes, 3U);
    EXPECT_GT(LogCatalogue(directory_.path(), LogCatalogue::Access::read).counters()["pieces"], 0U);
}

}  // namespace
}  // namespace groma
