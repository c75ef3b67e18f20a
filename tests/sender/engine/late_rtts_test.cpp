#include "sender/engine/late_rtts.hpp"

#include <gtest/gtest.h>

#include "sender/engine/flow_sender.hpp"
#include "tests/sender/fake_channel.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

TEST(LateRtts, AreThoseOfTheLastFourSeconds) {
    LateRtts rtts;
    EXPECT_EQ(rtts.histogram().count(), 0U);
    for (int second = 0; second < 10; ++second) {
        rtts.note(MonoTime{} + std::chrono::seconds(second), Nanos{second});
    }
    EXPECT_EQ(rtts.histogram().count(), 5U);
    EXPECT_EQ(rtts.histogram().min(), 5);
    EXPECT_EQ(rtts.histogram().max(), 9);
}

TEST(LateRtts, OfAFlowAreThoseWhilePacketsAreSent) {
    ManualClock clock;
    FakeWire wire{.rtt = 7ns};
    SentQueue queue{64};
    SendTools tools{clock, queue, std::vector<Frame>(8)};
    FlowSender flow({steady_flow(1, 2), std::make_unique<FakeChannel>(wire, clock), &any_payload()}, 0, 8);
    flow.begin(clock.now());
    const auto turn = [&] { return flow.take_turn(clock.now(), tools); };
    const auto look = [&] { return flow.sample_while_sending(clock.now()).value().rtt; };
    EXPECT_EQ(look(), 7ns);  // on the idle path
    turn();
    wire.rtt = 8ns;
    EXPECT_EQ(look(), 8ns);
    clock.advance(1ms);
    EXPECT_EQ(turn(), FlowSender::Turn::ended);
    wire.rtt = 9ns;
    EXPECT_EQ(look(), 9ns);  // the load is over
    const LogHistogram kept = flow.outcome("").late_rtt_ns;
    EXPECT_EQ(kept.count(), 1U);
    EXPECT_EQ(kept.max(), 8);
}

}  // namespace
}  // namespace groma
