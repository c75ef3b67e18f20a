#include "receiver/receive_threads.hpp"

#include <gmock/gmock.h>
#include <sched.h>

#include "common/os/scheduling.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Started threads, and the messages about them.
class ReceiveThreadsTest : public testing::Test {
protected:
    ReceiveWorkers started(const ReceiveThreads& threads) {
        said.clear();
        return start_receiving(threads, [this](const std::string& sentence) { said.push_back(sentence); });
    }

    std::vector<std::string> said;
};

TEST_F(ReceiveThreadsTest, AreAsManyAsThereAreCoresButOneAndAtMostFour) {
    EXPECT_EQ(default_receive_threads(0), 1U);
    EXPECT_EQ(default_receive_threads(1), 1U);
    EXPECT_EQ(default_receive_threads(2), 1U);
    EXPECT_EQ(default_receive_threads(4), 3U);
    EXPECT_EQ(default_receive_threads(64), 4U);
}

TEST_F(ReceiveThreadsTest, TheNumberAskedForIsStarted) {
    EXPECT_EQ(started({.count = 3}).size(), 3U);
    EXPECT_EQ(started({}).size(), default_receive_threads(usable_cores().size()));
}

TEST_F(ReceiveThreadsTest, RunOnTheirCoresByTurns) {
    const std::vector<unsigned> cores = usable_cores();
    const ReceiveWorkers workers = started({.count = 3, .pin = {cores.front()}});
    EXPECT_THAT(said, IsEmpty());
    for (const auto& worker : workers) {
        worker->run([&] { EXPECT_EQ(usable_cores(), std::vector{cores.front()}); });
    }
}

TEST_F(ReceiveThreadsTest, WhatCannotBeHadIsSaidAndTheyReceiveAllTheSame) {
    const ReceiveWorkers workers = started({.count = 1, .pin = {100'000}});
    ASSERT_EQ(said.size(), 1U);
    EXPECT_THAT(said.front(), HasSubstr("receive-1: cannot run on core 100000"));
    bool ran = false;
    workers.front()->run([&ran] { ran = true; });
    EXPECT_TRUE(ran);
}

TEST_F(ReceiveThreadsTest, SayNothingOfRealTimeThatTheyTakeOnlyIfTheyMay) {
    const ReceiveWorkers workers = started({.count = 1, .realtime = Realtime::automatic});
    EXPECT_THAT(said, IsEmpty());
}

TEST_F(ReceiveThreadsTest, AreInRealTimeOrItIsSaidWhyNot) {
    const ReceiveWorkers workers = started({.count = 1, .realtime = Realtime::on});
    int policy = 0;
    workers.front()->run([&policy] { policy = ::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK; });
    const bool refused = std::ranges::any_of(
        said, [](const std::string& sentence) { return sentence.find("no real time") != std::string::npos; });
    EXPECT_EQ(policy == SCHED_FIFO, not refused);
}

}  // namespace
}  // namespace groma
