#include "logserver/session_turns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class SessionTurnsTest : public testing::Test {
protected:
    std::optional<MonoTime> serve(std::uint64_t id) {
        served_.push_back(id);
        if (id == 1) {
            for (const std::uint64_t other : std::exchange(woken_by_first_, {})) {
                turns_.wake(other);
            }
        }
        return due_[id];
    }

    boost::asio::io_context io_{1};
    ManualClock clock_;
    std::vector<std::uint64_t> served_;
    int rounds_ = 0;
    std::vector<std::uint64_t> woken_by_first_;
    std::map<std::uint64_t, std::optional<MonoTime>> due_;  ///< what their turns return
    SessionTurns turns_{
        io_, clock_, {.serve = [this](std::uint64_t id) { return serve(id); }, .end_round = [this] { ++rounds_; }}};
};

TEST_F(SessionTurnsTest, ASessionThatIsWokenDuringARoundHasItsTurnInTheNextOne) {
    woken_by_first_ = {1, 2};
    turns_.wake(1);
    turns_.serve();
    EXPECT_THAT(served_, ElementsAre(1));
    turns_.serve();
    EXPECT_THAT(served_, UnorderedElementsAre(1, 1, 2));
    turns_.serve();
    EXPECT_EQ(served_.size(), 3U);
    EXPECT_EQ(rounds_, 3);
}

TEST_F(SessionTurnsTest, SessionsThatAreWokenShareOneRound) {
    turns_.wake_soon(1);
    turns_.wake_soon(2);
    EXPECT_THAT(served_, ElementsAre()) << "not from within";
    io_.run();
    EXPECT_THAT(served_, UnorderedElementsAre(1, 2));
    EXPECT_EQ(rounds_, 1);
    turns_.wake_soon(3);
    io_.restart();
    io_.run();
    EXPECT_EQ(served_.back(), 3U);
    EXPECT_EQ(rounds_, 2);
}

TEST_F(SessionTurnsTest, ASessionHasATurnWhenItsDeadlineHasCome) {
    due_[1] = clock_.now();
    due_[2] = clock_.now() + std::chrono::hours(1);
    turns_.wake(1);
    turns_.wake(2);
    turns_.serve();
    served_.clear();
    due_[1].reset();
    io_.run_one();
    EXPECT_THAT(served_, ElementsAre(1));
}

TEST_F(SessionTurnsTest, ADeadlineThatHasChangedIsForgotten) {
    for (const std::optional<MonoTime> due : {std::optional(clock_.now() + std::chrono::hours(1)),
                                              std::optional(clock_.now()), std::optional<MonoTime>()}) {
        due_[1] = due;
        turns_.wake(1);
        turns_.serve();
    }
    for (int handlers = 0; handlers < 10; ++handlers) {
        io_.run_one();
    }
    EXPECT_THAT(served_, ElementsAre(1, 1, 1)) << "and nothing is waited for";
}

TEST_F(SessionTurnsTest, NoSessionHasATurnAfterTheEnd) {
    due_[1] = clock_.now();
    turns_.wake(1);
    turns_.serve();
    turns_.stop();
    io_.run();
    EXPECT_THAT(served_, ElementsAre(1));
}

}  // namespace
}  // namespace groma
