// The prober with a receiver that answers when the test says so, in virtual time.
#include "sender/links/clock_prober.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <stdexcept>

#include "common/time/manual_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

class ClockProberTest : public ::testing::Test {
protected:
    [[nodiscard]] ClockProber prober(Nanos limit) {
        return {io_, clock_, limit, [this](ProbeRequest request) { return ask(request); }};
    }

    /// The receiver's clock counts the probes, which distinguishes them.
    static ProbeReply reply_to(std::uint32_t number) {
        return {.number = number, .received = wall_time_from_ns(number), .answered = wall_time_from_ns(number)};
    }

    void take_many(ClockProber& prober, std::optional<bool>& whole) {
        asio::co_spawn(
            io_, [&]() -> asio::awaitable<void> { whole = co_await prober.take_many(); }, asio::detached);
    }
    void go_on(ClockProber& prober, bool& over) {
        asio::co_spawn(
            io_,
            [&]() -> asio::awaitable<void> {
                co_await prober.go_on();
                over = true;
            },
            asio::detached);
    }
    void run() {
        io_.run();
        io_.restart();
    }

    static constexpr Nanos kWay = 30us;
    ManualClock clock_;
    asio::io_context io_{1};
    std::function<void(std::uint32_t number)> on_ask_ = [](std::uint32_t /*number*/) {};
    std::uint32_t asked_ = 0;

private:
    asio::awaitable<void> ask(ProbeRequest request) {
        EXPECT_EQ(request.number, asked_++);
        on_ask_(request.number);
        co_return;
    }
};

TEST_F(ClockProberTest, TakesProbesBeforeDuringAndAfterARunAndKeepsTheirOrder) {
    ClockProber prober = this->prober(kPatience);
    on_ask_ = [&](std::uint32_t number) {
        asio::post(io_, [&, number] {
            clock_.advance(kWay);
            prober.on_reply(reply_to(number));
            if (number == 20) {
                prober.pause();
            }
        });
    };
    const WallTime begin = clock_.wall_now();
    std::optional<bool> before;
    take_many(prober, before);
    run();
    EXPECT_EQ(before, true);
    EXPECT_EQ(asked_, 20U);
    bool over = false;
    go_on(prober, over);
    run();
    EXPECT_TRUE(over);
    std::optional<bool> after;
    take_many(prober, after);
    run();
    EXPECT_EQ(after, true);
    const std::vector<ProbeTimes> probes = prober.probes();
    ASSERT_EQ(probes.size(), 41U);
    for (std::uint32_t number = 0; number < probes.size(); ++number) {
        EXPECT_EQ(probes[number].received, wall_time_from_ns(number));
        EXPECT_EQ(probes[number].sent, begin + number * kWay);
        EXPECT_EQ(probes[number].returned, begin + (number + 1) * kWay);
    }
}

TEST_F(ClockProberTest, AReceiverThatDoesNotAnswerIsAskedOnce) {
    ClockProber prober = this->prober(Nanos{0});
    std::optional<bool> whole;
    take_many(prober, whole);
    run();
    EXPECT_EQ(whole, false);
    EXPECT_EQ(asked_, 1U);
}

TEST_F(ClockProberTest, NobodyWaitsForAnAnswerWhenTheSessionIsOver) {
    ClockProber prober = this->prober(kPatience);
    on_ask_ = [&](std::uint32_t /*number*/) { asio::post(io_, [&] { prober.close(); }); };
    std::optional<bool> whole;
    take_many(prober, whole);
    run();
    EXPECT_EQ(whole, false);
    EXPECT_TRUE(prober.probes().empty());
}

TEST_F(ClockProberTest, AnswersThatWereNotAskedForAreNoProbes) {
    ClockProber prober = this->prober(Nanos{0});
    std::optional<bool> whole;
    take_many(prober, whole);
    run();
    prober.on_reply(reply_to(1));
    EXPECT_TRUE(prober.probes().empty());
    prober.on_reply(reply_to(0));
    prober.on_reply(reply_to(0));
    EXPECT_EQ(prober.probes().size(), 1U);
}

TEST_F(ClockProberTest, OfManyQuestionsWithoutAnAnswerTheOldestIsForgotten) {
    ClockProber prober = this->prober(Nanos{0});
    for (int i = 0; i < 65; ++i) {
        std::optional<bool> whole;
        take_many(prober, whole);
        run();
    }
    prober.on_reply(reply_to(0));
    EXPECT_TRUE(prober.probes().empty());
    prober.on_reply(reply_to(1));
    EXPECT_EQ(prober.probes().size(), 1U);
}

TEST_F(ClockProberTest, EndsQuietlyWithTheSession) {
    ClockProber prober = this->prober(kPatience);
    on_ask_ = [](std::uint32_t /*number*/) { throw std::runtime_error("the receiver closed the connection"); };
    bool over = false;
    go_on(prober, over);
    run();
    EXPECT_TRUE(over);
}

}  // namespace
}  // namespace groma
