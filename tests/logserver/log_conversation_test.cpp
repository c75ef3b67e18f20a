// Conversations with a real core and store, in virtual time, without a socket.
#include "logserver/log_conversation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "common/log/running_hash.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "logserver/log_server_core.hpp"
#include "tests/files.hpp"
#include "tests/logserver/recording_sink.hpp"

namespace groma {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

CloseLog totals_of(LogNumber log, std::string_view text, std::uint64_t pieces) {
    RunningHash hash;
    hash.add(bytes(text));
    return {log, pieces, text.size(), hash.value()};
}

/// One connection, from the shipper's side.
struct Shipper {
    explicit Shipper(LogServerCore& core, Clock& time, const std::string& name = "10.0.0.1:40000")
        : clock(time), conversation(core.begin(name, sink, time.now())) {}

    void say(const LogFrame& frame) const { conversation->on_frame(frame, clock.now()); }
    void greet() const { say(ShipperHello{kLogProtocolVersion, "hosta"}); }
    void open(LogNumber log = 7, const std::string& name = "sender", unsigned char token = 1) const {
        OpenLog open{log, {}, "voip-1a2b3c4d", name};
        open.token.fill(static_cast<std::byte>(token));
        say(open);
    }
    void piece(std::uint64_t number, std::string_view text, LogNumber log = 7) const {
        say(LogPiece{log, number, bytes(text)});
    }

    Clock& clock;
    RecordingSink sink;
    std::unique_ptr<Conversation> conversation;
};

class LogConversationTest : public testing::Test {
protected:
    LogConversationTest() {
        settings_.directory = directory_.path();
        settings_.reserve = 0;
        settings_.report = [this](const std::string& line) { reported_ += line + '\n'; };
    }
    LogServerCore& core() {
        if (not core_) {
            core_.emplace(settings_, clock_, std::make_unique<InlineSweeper>());
        }
        return *core_;
    }
    void pass(Nanos time) {
        clock_.advance(time);
        core().tick(clock_.now());
    }
    [[nodiscard]] CatalogueEntry entry(const std::string& name = "sender") const {
        return LogCatalogue(directory_.path(), LogCatalogue::Access::read).find("voip-1a2b3c4d", name).value();
    }
    [[nodiscard]] std::string stored(const std::string& file = "sender.glog") const {
        return content_of(directory_.path() / "voip-1a2b3c4d" / file);
    }

    TemporaryFolder directory_;
    ManualClock clock_;
    LogServerSettings settings_;
    std::string reported_;
    std::optional<LogServerCore> core_;
};

TEST_F(LogConversationTest, ManyLogsTravelOnOneConnection) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    EXPECT_EQ(shipper.sink.last<ServerWelcome>(), ServerWelcome{});
    shipper.open(1, "sender");
    shipper.open(2, "receiver", 2);
    EXPECT_EQ(shipper.sink.last<LogOpened>(), (LogOpened{2, 0}));
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
    EXPECT_EQ(shipper.sink.last<LogOpened>(), (LogOpened{7, 0}));
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

TEST_F(LogConversationTest, AWriterOfAnotherVersionIsToldWhatToDo) {
    const Shipper shipper(core(), clock_);
    shipper.say(ShipperHello{99, "hosta"});
    EXPECT_NE(shipper.sink.last<LogRefused>().reason.find("same release"), std::string::npos);
    EXPECT_TRUE(shipper.sink.finished);
    EXPECT_EQ(core().counters().of(Counted::refused_version), 1U);
}

TEST_F(LogConversationTest, ALogThatIsRefusedEndsNoOther) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open(1, "sender");
    shipper.open(2, "../../evil", 2);
    EXPECT_EQ(shipper.sink.last<LogRefused>().log, 2U);
    EXPECT_FALSE(shipper.sink.last<LogRefused>().try_again);
    shipper.piece(0, "evil", 2);
    shipper.piece(0, "abc", 1);
    shipper.say(totals_of(1, "abc", 1));
    EXPECT_EQ(shipper.sink.last<LogClosed>(), LogClosed{1});
    EXPECT_EQ(core().counters().of(Counted::pieces_stray), 1U);
}

TEST_F(LogConversationTest, APeerThatDoesWrongOverAndOverAgainLeavesFewLines) {
    {
        const Shipper shipper(core(), clock_);
        shipper.greet();
        for (LogNumber log = 1; log <= 1000; ++log) {
            shipper.open(log, "../../evil");
        }
    }
    EXPECT_EQ(std::ranges::count(reported_, '\n'), 11) << reported_;
    EXPECT_NE(reported_.find("10.0.0.1:40000: 990 more lines of this connection were left out"), std::string::npos);
    EXPECT_EQ(core().counters().of(Counted::logs_refused), 1000U);
}

TEST_F(LogConversationTest, APeerThatOpensAndGivesUpOverAndOverAgainLeavesFewLines) {
    {
        const Shipper shipper(core(), clock_);
        shipper.greet();
        for (LogNumber log = 1; log <= 100; ++log) {
            shipper.open(log);
            shipper.say(GiveUpLog{log, 0, "why not"});
        }
    }
    EXPECT_LE(std::ranges::count(reported_, '\n'), 22) << reported_;
}

TEST_F(LogConversationTest, APeerThatDoesWellIsReportedWhole) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    for (LogNumber log = 1; log <= 100; ++log) {
        shipper.open(log, "sender-" + std::to_string(log), static_cast<unsigned char>(log));
        shipper.say(totals_of(log, "", 0));
    }
    EXPECT_EQ(std::ranges::count(reported_, '\n'), 200) << reported_;
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
    EXPECT_EQ(second.sink.last<LogOpened>(), (LogOpened{3, 1}));
    EXPECT_EQ(first.sink.last<LogRefused>().log, 7U);
    first.piece(1, "from a ghost");
    second.piece(1, "def", 3);
    second.say(totals_of(3, "abcdef", 2));
    EXPECT_EQ(second.sink.last<LogClosed>(), LogClosed{3});
    EXPECT_EQ(stored(), "abcdef");
}

TEST_F(LogConversationTest, AnotherWriterOfTheSameNameIsRefused) {
    const Shipper first(core(), clock_);
    first.greet();
    first.open();
    const Shipper second(core(), clock_);
    second.greet();
    second.open(1, "sender", 2);
    EXPECT_NE(second.sink.last<LogRefused>().reason.find("another writer"), std::string::npos);
    first.piece(0, "abc");
    EXPECT_TRUE(std::holds_alternative<LogOpened>(first.sink.frames.back()));
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

TEST_F(LogConversationTest, AShipperThatSaysNothingIsSentAway) {
    const Shipper mute(core(), clock_);
    EXPECT_EQ(mute.conversation->next_deadline(), clock_.now() + std::chrono::seconds(10));
    clock_.advance(std::chrono::seconds(10));
    mute.conversation->tick(clock_.now());
    EXPECT_NE(mute.sink.last<LogRefused>().reason.find("opened no log"), std::string::npos);
    EXPECT_TRUE(mute.sink.finished);
    EXPECT_EQ(core().counters().of(Counted::refused_silent), 1U);
}

TEST_F(LogConversationTest, ALongSilenceEndsAConnectionButKeepsTheLog) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    clock_.advance(std::chrono::minutes(5));
    shipper.conversation->tick(clock_.now());
    EXPECT_TRUE(shipper.sink.last<LogRefused>().try_again);
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_EQ(entry().bytes, 3U);
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

TEST_F(LogConversationTest, AnIncompleteLogSaysWhyItsConnectionEnded) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.conversation->on_lost("connection lost: Connection reset by peer");
    EXPECT_EQ(state_text(entry()), "incomplete: connection lost: Connection reset by peer");
    EXPECT_EQ(entry().pieces, 1U);
}

TEST_F(LogConversationTest, AShipperThatDoesNotReadIsCountedAndItsLogKept) {
    const Shipper shipper(core(), clock_);
    shipper.greet();
    shipper.open();
    shipper.piece(0, "abc");
    shipper.conversation->on_deaf();
    EXPECT_EQ(core().counters().of(Counted::refused_deaf), 1U);
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_EQ(entry().bytes, 3U);
}

TEST_F(LogConversationTest, TooManyConnectionsAreToldToComeBack) {
    settings_.max_sessions = 1;
    std::optional<Shipper> first(std::in_place, core(), clock_);
    const Shipper second(core(), clock_);
    EXPECT_TRUE(second.sink.last<LogRefused>().try_again);
    EXPECT_TRUE(second.sink.finished);
    first.reset();
    const Shipper third(core(), clock_);
    EXPECT_FALSE(third.sink.finished);
}

TEST_F(LogConversationTest, RubbishEndsTheConversationAndIsCounted) {
    const Shipper shipper(core(), clock_);
    shipper.conversation->on_rubbish("10.0.0.1:40000: sent a frame of unknown type 99\x1b[2J", clock_.now());
    EXPECT_TRUE(shipper.sink.finished);
    EXPECT_EQ(core().counters().of(Counted::refused_rubbish), 1U);
    EXPECT_EQ(reported_.find('\x1b'), std::string::npos);
    EXPECT_EQ(reported_.find("10.0.0.1:40000: 10.0.0.1"), std::string::npos) << reported_;
}

TEST_F(LogConversationTest, FramesOutOfPlaceEndTheConversation) {
    for (const LogFrame& frame : {LogFrame{LogPiece{}}, LogFrame{CloseLog{}}, LogFrame{LogOpened{}},
                                  LogFrame{OpenLog{}}, LogFrame{LogGoOn{}}}) {
        const Shipper shipper(core(), clock_);
        shipper.say(frame);
        EXPECT_TRUE(shipper.sink.finished) << frame.index();
    }
    EXPECT_EQ(core().counters().of(Counted::refused_protocol), 5U);
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
