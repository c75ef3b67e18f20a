#include "common/os/child_process.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "common/base/errors.hpp"

namespace groma {
namespace {

TEST(ChildProcess, GetsItsInputAndGivesItsOutput) {
    const ChildResult result = run_child({"tr", "a-z", "A-Z"}, "hello");
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.output, "HELLO");
}

TEST(ChildProcess, TakesArgumentsAsTheyAreWithoutAShell) {
    EXPECT_EQ(run_child({"echo", "$HOME;", "*"}, "").output, "$HOME; *\n");
}

TEST(ChildProcess, HandsOnErrorsAndTheExitStatus) {
    const ChildResult result = run_child({"sh", "-c", "echo trouble >&2; exit 3"}, "");
    EXPECT_EQ(result.status, 3);
    EXPECT_EQ(result.output, "trouble\n");
}

TEST(ChildProcess, SaysWhichSignalEndedIt) {
    EXPECT_EQ(run_child({"sh", "-c", "kill -TERM $$"}, "").status, 128 + SIGTERM);
}

TEST(ChildProcess, SurvivesAChildThatDoesNotReadItsInput) {
    EXPECT_EQ(run_child({"true"}, std::string(10'000'000, 'x')).status, 0);
}

TEST(ChildProcess, CarriesMoreThanAnyBufferBothWays) {
    const ChildResult result = run_child({"cat"}, std::string(10'000'000, 'x'));
    EXPECT_EQ(result.output, std::string(64U << 10U, 'x'));
}

TEST(ChildProcess, IsNamedWhenItIsNotThere) {
    try {
        (void)run_child({"groma-no-such-program"}, "");
        FAIL() << "started";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ENOENT);
        EXPECT_NE(std::string(error.what()).find("groma-no-such-program"), std::string::npos);
    }
}

}  // namespace
}  // namespace groma
