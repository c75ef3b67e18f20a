#include "common/control/timer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>

#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class TimerTest : public ::testing::Test {
protected:
    void wait_until(MonoTime deadline, std::optional<bool>& expired) {
        asio::co_spawn(
            io_, [this, deadline, &expired]() -> asio::awaitable<void> { expired = co_await timer_.wait(deadline); },
            asio::detached);
    }

    ManualClock clock_;
    asio::io_context io_{1};
    Timer timer_{io_.get_executor(), clock_};
};

TEST_F(TimerTest, ADeadlineOfTheClockThatHasPassedIsNotWaitedFor) {
    const MonoTime deadline = clock_.now() + 24h;
    clock_.advance(24h);
    std::optional<bool> expired;
    wait_until(deadline, expired);
    io_.run();
    EXPECT_EQ(expired, true);
}

TEST_F(TimerTest, TellsACancelledWaitFromOneThatIsOver) {
    std::optional<bool> expired;
    wait_until(MonoTime::max(), expired);
    asio::post(io_, [this] { timer_.cancel(); });
    io_.run();
    EXPECT_EQ(expired, false);
}

TEST_F(TimerTest, AWaitThatBeginsCancelsTheOneBefore) {
    std::optional<bool> first;
    std::optional<bool> second;
    wait_until(MonoTime::max(), first);
    wait_until(clock_.now(), second);
    io_.run();
    EXPECT_EQ(first, false);
    EXPECT_EQ(second, true);
}

TEST_F(TimerTest, CallsBackUnlessItIsCancelled) {
    int calls = 0;
    timer_.call_at(clock_.now(), [&] { ++calls; });
    io_.run();
    EXPECT_EQ(calls, 1);
    io_.restart();
    timer_.call_after(24h, [&] { ++calls; });
    timer_.cancel();
    io_.run();
    EXPECT_EQ(calls, 1);
}

TEST_F(TimerTest, ACallAtAnInstantThatNeverComesEndsWithTheTimer) {
    int calls = 0;
    {
        Timer never(io_.get_executor(), clock_);
        never.call_at(MonoTime::max(), [&] { ++calls; });
    }
    io_.run();
    EXPECT_EQ(calls, 0);
}

TEST(Condition, WakesAllThatWaitAndNobodyWhoComesLater) {
    asio::io_context io(1);
    Condition condition(io.get_executor());
    int woken = 0;
    const auto wait = [&]() -> asio::awaitable<void> {
        co_await condition.wait();
        ++woken;
    };
    asio::co_spawn(io, wait, asio::detached);
    asio::co_spawn(io, wait, asio::detached);
    asio::post(io, [&] {
        condition.notify();
        asio::co_spawn(io, wait, asio::detached);
    });
    while (woken < 2) {
        io.run_one();
    }
    io.poll();
    EXPECT_EQ(woken, 2);
    condition.notify();
    io.run();
    EXPECT_EQ(woken, 3);
}

}  // namespace
}  // namespace groma
