#include "sender/commands/console.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace groma {
namespace {

TEST(StopRequests, AreCountedAndEndNothing) {
    StopRequests requests;
    EXPECT_EQ(requests.count(), 0U);
    std::raise(SIGINT);
    EXPECT_EQ(requests.count(), 1U);
    std::raise(SIGTERM);
    EXPECT_EQ(requests.count(), 2U);
    EXPECT_EQ(requests.count(), 2U);
}

TEST(Console, SaysWhoSpeaksUnlessItIsQuiet) {
    testing::internal::CaptureStderr();
    Console(false).say("no\x1b[31m colour");
    Console(true).say("nothing");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "groma-send: no\\x1b[31m colour\n");
}

}  // namespace
}  // namespace groma
