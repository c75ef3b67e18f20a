#include "common/os/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>

#include "common/base/errors.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/os/temporary_folder.hpp"

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

TEST(ChildProcess, HasNoDescriptorOfOurs) {
    const FileDescriptor open(::open("/dev/null", O_RDONLY));  // as Asio opens them
    ASSERT_TRUE(open.valid());
    EXPECT_EQ(run_child({"test", "-e", "/proc/self/fd/" + std::to_string(open.get())}, "").status, 1);
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

std::string said_by(RunningChild& child, std::string_view last) {
    std::string all;
    while (all.find(last) == std::string::npos) {
        const std::optional<std::string> more = child.read(std::chrono::seconds(60));
        if (not more) {
            break;
        }
        all += *more;
    }
    return all;
}

TEST(ARunningChild, IsSpokenToWhileItGoesOn) {
    RunningChild child({"sh", "-c", "echo ready; read line; echo heard $line; cat"});
    EXPECT_EQ(said_by(child, "ready\n"), "ready\n");
    child.write("a word\n");
    EXPECT_EQ(said_by(child, "heard a word\n"), "heard a word\n");
}

TEST(ARunningChild, EndsWithItsInput) {
    const TemporaryFolder folder;
    {
        RunningChild child({"sh", "-c", "cat; echo done >$0", folder.file("end")});
        child.write("word\n");
        EXPECT_EQ(said_by(child, "word\n"), "word\n");
    }
    EXPECT_TRUE(std::filesystem::exists(folder.file("end")));
}

TEST(ARunningChild, IsEndedWhereItDoesNotHear) {
    std::string pid;
    {
        RunningChild child({"sh", "-c", "echo $$; exec sleep 1000"}, std::chrono::milliseconds(1));
        pid = said_by(child, "\n");
    }
    EXPECT_NE(::kill(std::stoi(pid), 0), 0);
}

TEST(ARunningChild, SaysNothingMoreAfterItsEnd) {
    RunningChild child({"sh", "-c", "echo trouble >&2; exit 3"});
    EXPECT_EQ(said_by(child, "no such words"), "trouble\n");
    EXPECT_EQ(child.read(std::chrono::milliseconds(1)), std::nullopt);
    child.write("nobody hears\n");
}

}  // namespace
}  // namespace groma
