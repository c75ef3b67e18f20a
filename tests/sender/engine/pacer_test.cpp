#include "sender/engine/pacer.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr MonoTime kNow{1000s};

TEST(Pacer, SendsAtTheDeadlineAndAfterIt) {
    const Pacer pacer;
    EXPECT_EQ(pacer.advise(kNow, kNow).action, Pacer::Action::send);
    EXPECT_EQ(pacer.advise(kNow + 1h, kNow).action, Pacer::Action::send);
}

TEST(Pacer, NeverSendsEarly) {
    const Pacer pacer;
    EXPECT_EQ(pacer.advise(kNow, kNow + 1ns).action, Pacer::Action::spin);
}

TEST(Pacer, SleepsUntilTheGuardBeforeTheDeadline) {
    const Pacer pacer;
    const Pacer::Advice advice = pacer.advise(kNow, kNow + 1ms);
    EXPECT_EQ(advice.action, Pacer::Action::sleep);
    EXPECT_EQ(advice.until, kNow + 1ms - pacer.guard());
}

TEST(Pacer, SpinsInsideTheGuard) {
    const Pacer pacer;
    EXPECT_EQ(pacer.advise(kNow, kNow + pacer.guard()).action, Pacer::Action::spin);
}

TEST(Pacer, SpinsWhereASleepWouldBeTooShortToPay) {
    const Pacer pacer;
    const MonoTime deadline = kNow + pacer.guard() + Pacer::kShortestSleep;
    EXPECT_EQ(pacer.advise(kNow, deadline - 1ns).action, Pacer::Action::spin);
    EXPECT_EQ(pacer.advise(kNow, deadline).action, Pacer::Action::sleep);
}

TEST(Pacer, NeverSleepsForSoLongThatAStopGoesUnnoticed) {
    const Pacer pacer;
    EXPECT_EQ(pacer.advise(kNow, kNow + 1h).until, kNow + Pacer::kLongestSleep);
}

TEST(Pacer, LearnsFromSleepsThatEndedLate) {
    Pacer pacer;
    const Nanos before = pacer.guard();
    pacer.woke(kNow, kNow + 1ms);
    EXPECT_GT(pacer.guard(), before);
}

}  // namespace
}  // namespace groma
