#include "mpi/roles/rank_follower.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "common/json/json_record.hpp"
#include "tests/mpi/fake_mpi.hpp"
#include "tests/mpi/ticking_clock.hpp"

namespace groma {
namespace {

class RankFollowerTest : public ::testing::Test {
protected:
    Farewell follow_rank_0() { return follow(rank_.world(), worker_, signals_, clock_); }

    /// What rank 0 was told.
    static std::vector<RankMessage> told() {
        std::vector<RankMessage> messages;
        for (const FakeMpi::Sent& one : fake_mpi().sent()) {
            EXPECT_EQ(one.to, 0);
            messages.push_back(parse_rank_message(one.bytes, 1));
        }
        return messages;
    }

    /// Rank 0 dismisses this rank once it has been told something.
    static void dismiss_when_told() {
        fake_mpi().when_sent([] { fake_mpi().give(0, {"leave"}); });
    }

    SignalSet signals_ = SignalSet::stop_signals();  // before any thread
    FakeRank rank_{1, 2};
    TickingClock clock_;
    RankWorker worker_{rank_.world(), clock_};
};

TEST_F(RankFollowerTest, AnswersRank0UntilItIsDismissed) {
    dismiss_when_told();
    fake_mpi().give(0, {"ping", {{"number", 7}}});
    EXPECT_EQ(follow_rank_0(), Farewell::dismissed);
    const std::vector<RankMessage> messages = told();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].kind, "pong");
    EXPECT_EQ(json_field<std::uint32_t>(messages[0].body, "number"), 7U);
}

TEST_F(RankFollowerTest, TellsWhyAnOrderFailedAndGoesOn) {
    dismiss_when_told();
    fake_mpi().give(0, {"prepare", nlohmann::json::object()});
    EXPECT_EQ(follow_rank_0(), Farewell::dismissed);
    const std::vector<RankMessage> messages = told();
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].kind, "failed");
    EXPECT_NE(messages[0].body.value("what", "").find("is missing"), std::string::npos);
}

// mpirun kills a rank a second after it told it to end.
TEST_F(RankFollowerTest, TakesItsLastStepsWithinASecondOnceItIsToldToEnd) {
    std::raise(SIGTERM);
    const MonoTime told_at = clock_.now();
    EXPECT_EQ(follow_rank_0(), Farewell::interrupted);
    const Nanos taken = clock_.now() - told_at;
    EXPECT_GE(taken, std::chrono::milliseconds(800));
    EXPECT_LT(taken, std::chrono::seconds(1));
}

TEST_F(RankFollowerTest, WhatBreaksItsLineEndsIt) {
    fake_mpi().break_down();
    EXPECT_THROW((void)follow_rank_0(), RunError);
}

}  // namespace
}  // namespace groma
