// One log of a conversation, with a real core and store, in virtual time.
#include "logserver/conversation_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/logserver/log_conversation_fixture.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Does no work before it is told to.
class DeferredBackground final : public Background {
public:
    explicit DeferredBackground(std::function<void()>& next) : next_(next) {}
    void run(std::function<void()> work, std::function<void()> done) override {
        next_ = [work = std::move(work), done = std::move(done)] {
            work();
            done();
        };
    }

private:
    std::function<void()>& next_;
};

class ConversationLogTest : public LogConversationTest {
protected:
    std::unique_ptr<ConversationLog> make(LogNumber number = 7) {
        OpenLog request{number, {}, "voip-1a2b3c4d", "sender"};
        request.token.fill(std::byte{1});
        return std::make_unique<ConversationLog>(request, lines_, core(),
                                                 [this](const LogFrame& frame) { sink_.answer(serialize(frame)); });
    }
    std::unique_ptr<ConversationLog> open(LogNumber number = 7) {
        auto log = make(number);
        log->open({.node = "hosta", .host = "10.0.0.1", .grant = {}});
        return log;
    }
    static void piece(ConversationLog& log, std::uint64_t number, std::string_view text) {
        log.on_piece({7, number, bytes(text)});
    }
    std::uint64_t counted(Counted what) { return core().counters().of(what); }

    RecordingSink sink_;
    std::vector<std::string> told_;  ///< to the operator
    PeerLines lines_{"10.0.0.1:5", [this](const std::string& line) { told_.push_back(line); }};
};

TEST_F(ConversationLogTest, IsCompleteWhenItsTotalsAgreeAndItIsDurable) {
    const auto log = open();
    EXPECT_EQ(sink_.last<LogOpened>(), (LogOpened{7, 0}));
    piece(*log, 0, "abc");
    log->on_close(totals_of(7, "abc", 1));
    EXPECT_EQ(sink_.last<LogClosed>(), LogClosed{7});
    EXPECT_TRUE(log->ended());
    EXPECT_THAT(told_, ElementsAre("10.0.0.1:5: writes voip-1a2b3c4d/sender",
                                   "10.0.0.1:5: completed voip-1a2b3c4d/sender (3 bytes)"));
    const auto again = open(8);
    again->on_close(totals_of(8, "abc", 1));
    EXPECT_EQ(sink_.last<LogClosed>(), LogClosed{8}) << "at once, if the word of it was lost";
    EXPECT_TRUE(again->ended());
}

TEST_F(ConversationLogTest, WhatWasSentBeforeTheHoldWasHeardOfIsDropped) {
    const auto log = open();
    piece(*log, 0, "abc");
    log->hold("the disk is full");
    EXPECT_EQ(sink_.last<LogHold>(), (LogHold{7, "the disk is full"}));
    EXPECT_TRUE(log->held());
    const std::size_t answers = sink_.frames.size();
    log->hold("the disk is full");
    piece(*log, 1, "def");
    log->on_close(totals_of(7, "abcdef", 2));
    EXPECT_EQ(sink_.frames.size(), answers);
    log->go_on(1);
    EXPECT_EQ(sink_.last<LogGoOn>(), (LogGoOn{7, 1}));
    EXPECT_FALSE(log->held());
    log->go_on(1);
    piece(*log, 2, "ghi");
    log->on_give_up({7, 3, "killed"});
    EXPECT_EQ(sink_.frames.size(), answers + 1) << "said once; what is not due yet is no error";
    EXPECT_EQ(counted(Counted::pieces_held), 2U);
    piece(*log, 1, "def");
    EXPECT_EQ(counted(Counted::pieces), 2U);
    piece(*log, 3, "x");
    EXPECT_THAT(sink_.last<LogRefused>().reason, HasSubstr("piece 3 came where piece 2 was due"));
}

TEST_F(ConversationLogTest, ARefusedLogTakesNoMore) {
    const auto log = open();
    log->on_close(totals_of(7, "abc", 1));
    const auto refused = sink_.last<LogRefused>();
    EXPECT_EQ(refused.log, 7U);
    EXPECT_FALSE(refused.try_again);
    EXPECT_THAT(refused.reason, HasSubstr("the totals do not match"));
    EXPECT_EQ(told_.back(), "10.0.0.1:5 (voip-1a2b3c4d/sender): " + refused.reason);
    EXPECT_TRUE(log->ended());
    EXPECT_EQ(entry().reason, refused.reason);
    const std::size_t answers = sink_.frames.size();
    piece(*log, 0, "abc");
    log->on_give_up({7, 0, "killed"});
    EXPECT_EQ(sink_.frames.size(), answers);
    EXPECT_EQ(counted(Counted::pieces_stray), 1U);
    EXPECT_EQ(counted(Counted::logs_refused), 1U);
}

TEST_F(ConversationLogTest, IsTakenOverByItsWriterOnAnotherConnection) {
    const auto first = open();
    piece(*first, 0, "abc");
    const auto second = make(9);
    second->open({.node = "hosta", .host = "10.0.0.1", .grant = {}});
    ASSERT_GE(sink_.frames.size(), 2U);
    EXPECT_TRUE(first->ended());
    EXPECT_EQ(std::get<LogRefused>(sink_.frames.at(1)),
              (LogRefused{7, false, "its writer came back on another connection"}));
    EXPECT_EQ(sink_.last<LogOpened>(), (LogOpened{9, 1}));
}

TEST_F(ConversationLogTest, StaysIncompleteWhenItsConnectionEnds) {
    {
        const auto log = open();
        piece(*log, 0, "abc");
    }
    EXPECT_EQ(entry().state, LogState::incomplete);
    EXPECT_EQ(entry().reason, "its connection ended");
    EXPECT_EQ(entry().pieces, 1U);
}

TEST_F(ConversationLogTest, SaysThatItWasOnHoldWhenItsConnectionEnds) {
    const auto log = open();
    piece(*log, 0, "abc");
    log->hold("the disk is full");
    log->on_lost("its connection ended");
    EXPECT_EQ(entry().reason, "its connection ended, while it was on hold: the disk is full");
    const auto again = open(8);
    again->hold("the disk is full");
    again->go_on(1);
    again->on_lost("its connection ended");
    EXPECT_EQ(entry().reason, "its connection ended");
}

TEST_F(ConversationLogTest, WaitsUntilItsFileIsReadAndMayLeaveBefore) {
    std::function<void()> work;
    background_ = std::make_unique<DeferredBackground>(work);
    const auto log = open();
    EXPECT_TRUE(log->held());
    EXPECT_FALSE(log->ended());
    piece(*log, 0, "abc");
    EXPECT_EQ(counted(Counted::pieces_held), 1U);
    log->on_lost("connection lost");
    EXPECT_TRUE(log->ended());
    ASSERT_TRUE(work);
    std::exchange(work, nullptr)();
    EXPECT_TRUE(sink_.frames.empty()) << "nobody is told any more";
}

}  // namespace
}  // namespace groma
