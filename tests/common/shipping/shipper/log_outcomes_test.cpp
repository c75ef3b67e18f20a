#include "common/shipping/shipper/log_outcomes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using News = LogNews::Kind;

class LogOutcomesTest : public testing::Test {
protected:
    LogOutcomesTest() {
        logs_.add(1, first_, 0, now_);
        logs_.add(2, second_, 0, now_);
    }
    LogOutcomes::Change take(LogId log, News kind, std::uint64_t pieces = 0, const std::string& reason = {}) {
        now_ += 1s;
        return logs_.take({kind, log, pieces, reason}, now_);
    }
    [[nodiscard]] std::string failure_of(LogId log) const {
        try {
            if (const auto& failure = logs_.of(log).failure) {
                std::rethrow_exception(failure);
            }
        } catch (const std::exception& error) {
            return error.what();
        }
        return {};
    }

    MonoTime now_{100s};
    KeptLog first_{1000, nullptr};
    KeptLog second_{1000, nullptr};
    LogOutcomes logs_{"log server"};
};

TEST_F(LogOutcomesTest, ProgressIsWhatTheServerHasNotHadBefore) {
    EXPECT_TRUE(take(1, News::opened).progress);
    EXPECT_FALSE(take(1, News::opened).progress) << "again and again, without getting on";
    EXPECT_TRUE(take(1, News::durable, 3).progress);
    EXPECT_FALSE(take(1, News::durable, 3).progress);
    EXPECT_FALSE(take(1, News::opened, 3).progress);
    EXPECT_TRUE(take(1, News::opened, 4).progress);
    EXPECT_TRUE(take(1, News::going_on, 4).progress);
    EXPECT_FALSE(take(1, News::going_on, 4).progress) << "it goes on where it went on before";
    EXPECT_TRUE(take(1, News::closed, 4).progress);
    EXPECT_TRUE(logs_.of(1).over);
}

TEST_F(LogOutcomesTest, ProgressOfOneLogCountsForAllThatAreNotHeld) {
    (void)take(2, News::held, 0, "full");
    const MonoTime before = logs_.of(2).progress;
    (void)take(1, News::opened);
    EXPECT_EQ(logs_.of(1).progress, now_);
    EXPECT_EQ(logs_.of(2).progress, before);
    (void)take(2, News::going_on);
    EXPECT_EQ(logs_.of(1).progress, now_);
    EXPECT_EQ(logs_.of(2).progress, now_);
}

TEST_F(LogOutcomesTest, TellsWhenNoLogIsHeldAnyMore) {
    (void)take(1, News::opened);
    EXPECT_TRUE(take(1, News::held, 0, "full").held);
    EXPECT_TRUE(take(2, News::held, 0, "full").held);
    EXPECT_FALSE(take(1, News::going_on).none_held);
    EXPECT_FALSE(take(2, News::opened).none_held) << "a hold may come behind it";
    EXPECT_TRUE(take(1, News::durable, 1).none_held);
}

TEST_F(LogOutcomesTest, ALogThatIsPutOffBeforeItWasOpenedFails) {
    EXPECT_FALSE(take(1, News::put_off, 0, "refused: full").held);
    EXPECT_EQ(failure_of(1), "log server: refused: full");
    (void)take(2, News::opened);
    EXPECT_TRUE(take(2, News::put_off, 0, "refused: full").held);
    EXPECT_EQ(failure_of(2), "");
    EXPECT_EQ(logs_.why_not(2), "refused: full");
    (void)take(2, News::opened);
    EXPECT_EQ(logs_.why_not(2), "");
    EXPECT_EQ(logs_.of(2).held_because, "refused: full");
    (void)take(2, News::held, 0, "the disk is full");
    EXPECT_EQ(logs_.why_not(2), "it takes nothing for now (the disk is full)");
}

TEST_F(LogOutcomesTest, ALogFailsOnceAndItsWriterIsLetGo) {
    (void)take(1, News::refused, 0, "refused: its name");
    logs_.fail(1, std::make_exception_ptr(RunError("later")));
    EXPECT_EQ(failure_of(1), "log server: refused: its name");
    EXPECT_THROW((void)first_.append({}), RunError);
    (void)take(2, News::closed);
    logs_.fail(2, std::make_exception_ptr(RunError("later")));
    EXPECT_EQ(failure_of(2), "");
}

TEST_F(LogOutcomesTest, FailsThoseThatWereNeverOpenedOrAll) {
    (void)take(2, News::opened);
    const auto why = std::make_exception_ptr(RunError("no connection"));
    EXPECT_THAT(logs_.fail_logs(why, false), testing::ElementsAre(1));
    EXPECT_EQ(failure_of(1), "no connection");
    EXPECT_EQ(failure_of(2), "");
    EXPECT_THAT(logs_.fail_logs(why, true), testing::ElementsAre(1, 2));
    EXPECT_EQ(failure_of(2), "no connection");
}

TEST_F(LogOutcomesTest, NewsOfALogThatWasForgottenMeanNothing) {
    logs_.forget(1);
    const auto change = take(1, News::durable, 3);
    EXPECT_FALSE(change.progress);
    EXPECT_FALSE(change.none_held);
}

}  // namespace
}  // namespace groma
