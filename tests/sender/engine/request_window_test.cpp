#include "sender/engine/request_window.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec loop_of(std::uint32_t in_flight, Transport transport = Transport::tcp) {
    FlowSpec spec;
    spec.transport = transport;
    spec.idt = Greedy{};
    spec.in_flight = in_flight;
    return spec;
}

constexpr MonoTime at(Nanos offset) {
    return MonoTime{1h + offset};
}

TEST(RequestWindow, LetsSoManyRequestsWaitAtATime) {
    RequestWindow window(loop_of(2));
    EXPECT_EQ(window.room(), 2U);
    EXPECT_FALSE(window.waits());
    EXPECT_EQ(window.next(), MonoTime::max());
    window.sent(0, 2, at(0s));
    EXPECT_EQ(window.room(), 0U);
    EXPECT_TRUE(window.waits());
    window.answered(1, at(1ms));
    EXPECT_EQ(window.room(), 1U);
    window.answered(0, at(2ms));
    EXPECT_EQ(window.room(), 2U);
    EXPECT_FALSE(window.waits());
}

TEST(RequestWindow, TakesOneResponseToARequest) {
    RequestWindow window(loop_of(2));
    window.sent(0, 2, at(0s));
    window.answered(0, at(1ms));
    window.answered(0, at(2ms));
    window.answered(7, at(2ms));
    EXPECT_EQ(window.room(), 1U) << "copies, and responses to nothing, make no room";
}

TEST(RequestWindow, GivesUpRequestsWithoutAResponse) {
    for (const auto& [transport, patience] : {std::pair(Transport::tcp, RequestWindow::kPatience),
                                              std::pair(Transport::udp, RequestWindow::kPatienceWithDatagrams)}) {
        RequestWindow window(loop_of(2, transport));
        window.sent(0, 1, at(0s));
        window.sent(1, 1, at(1ms));
        EXPECT_EQ(window.next(), at(patience));
        window.advance(at(patience - 1ns));
        EXPECT_EQ(window.room(), 0U);
        window.advance(at(patience));
        EXPECT_EQ(window.room(), 1U);
        window.answered(0, at(patience));
        EXPECT_EQ(window.room(), 1U) << "it came too late to make room once more";
        EXPECT_EQ(window.next(), at(patience + 1ms));
        EXPECT_EQ(window.timed_out(), 1U);
    }
}

TEST(RequestWindow, PausesAfterAConnectionThatFailed) {
    RequestWindow window(loop_of(1));
    window.cut(at(0s));
    EXPECT_EQ(window.room(), 1U) << "nothing waited";
    window.sent(0, 1, at(0s));
    window.cut(at(1ms));
    EXPECT_FALSE(window.waits());
    EXPECT_EQ(window.room(), 0U);
    EXPECT_EQ(window.next(), at(1ms + RequestWindow::kPause));
    window.advance(window.next());
    EXPECT_EQ(window.room(), 1U);
    EXPECT_EQ(window.timed_out(), 0U);
}

TEST(RequestWindow, HasThePatienceThatWasAskedFor) {
    FlowSpec spec = loop_of(2);
    spec.response_timeout = 3ms;
    RequestWindow window(spec);
    window.sent(0, 2, at(0s));
    EXPECT_EQ(window.next(), at(3ms));
    window.advance(at(3ms));
    EXPECT_EQ(window.room(), 2U);
    EXPECT_EQ(window.timed_out(), 2U);
}

TEST(RequestWindow, ThinksAfterEachResponse) {
    FlowSpec spec = loop_of(2);
    spec.think = Constant{5e6};
    RequestWindow window(spec);
    EXPECT_EQ(window.room(), 2U) << "the first requests leave at once";
    window.sent(0, 2, at(0s));
    window.answered(0, at(1ms));
    window.answered(1, at(3ms));
    EXPECT_FALSE(window.waits());
    EXPECT_EQ(window.room(), 0U);
    EXPECT_EQ(window.next(), at(6ms));
    window.advance(at(6ms));
    EXPECT_EQ(window.room(), 1U);
    EXPECT_EQ(window.next(), at(8ms));
    window.advance(at(1s));
    EXPECT_EQ(window.room(), 2U);
}

TEST(RequestWindow, DrawsTheSameTimesToThinkFromTheSameSeed) {
    FlowSpec spec = loop_of(1);
    spec.think = Exponential{1e6};
    const auto ends = [&spec] {
        RequestWindow window(spec);
        std::vector<MonoTime> all;
        for (std::uint64_t seq = 0; seq < 100; ++seq) {
            window.sent(seq, 1, at(0s));
            window.answered(seq, at(0s));
            all.push_back(window.next());
            window.advance(window.next());
        }
        return all;
    };
    const std::vector<MonoTime> once = ends();
    EXPECT_EQ(once, ends());
    spec.seed = 2;
    EXPECT_NE(once, ends());
}

}  // namespace
}  // namespace groma
