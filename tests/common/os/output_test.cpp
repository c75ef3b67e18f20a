#include "common/os/output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;

TEST(WriteOutput, MakesAFileWithThisText) {
    const TemporaryFolder folder;
    EXPECT_TRUE(write_output(folder.file("a.csv"), "x,y\r\n"));
    EXPECT_EQ(content_of(folder.file("a.csv")), "x,y\r\n");
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(WriteOutput, ReplacesAFileAsAWhole) {
    const TemporaryFolder folder;
    ASSERT_TRUE(write_output(folder.file("a"), "a long first text"));
    ASSERT_TRUE(write_output(folder.file("a"), "short"));
    EXPECT_EQ(content_of(folder.file("a")), "short");
}

TEST(WriteOutput, NamesTheFileThatCannotBeWritten) {
    const TemporaryFolder folder;
    EXPECT_THROW(static_cast<void>(write_output(folder.file("missing/a"), "x")), SystemError);
}

TEST(PendingFile, LeavesNothingWhenItIsNotKept) {
    const TemporaryFolder folder;
    {
        const PendingFile pending(folder.file("a"));
        std::ofstream(pending.part()) << "half";
    }
    EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(PendingFile, StartsAnewWhereAnEarlierAttemptWasCutShort) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("a.part")) << "leftover";
    const PendingFile pending(folder.file("a"));
    EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(WriteOutput, APipeGetsTheTextAndStays) {
    const TemporaryFolder folder;
    const std::string pipe = folder.file("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    EXPECT_TRUE(write_output(pipe, "text"));
    std::array<char, 10> got{};
    EXPECT_EQ(::read(reader.get(), got.data(), got.size()), 4);
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(WriteOutput, LinksToDevicesAndToOpenFilesStay) {
    const TemporaryFolder folder;
    fs::create_symlink("/dev/null", folder.file("device"));
    EXPECT_TRUE(write_output(folder.file("device"), "gone"));
    EXPECT_TRUE(fs::is_symlink(folder.file("device")));
    // As /dev/stdout is, when a shell has redirected it.
    const FileDescriptor open(::open(folder.file("redirected").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    fs::create_symlink("/proc/self/fd/" + std::to_string(open.get()), folder.file("stdout"));
    EXPECT_TRUE(write_output(folder.file("stdout"), "text"));
    EXPECT_TRUE(fs::is_symlink(folder.file("stdout")));
    EXPECT_EQ(content_of(folder.file("redirected")), "text");
}

TEST(WriteOutput, ReplacesALinkToAFileAndNotTheFile) {
    const TemporaryFolder folder;
    std::ofstream(folder.file("of another")) << "theirs";
    fs::create_symlink(folder.file("of another"), folder.file("link"));
    EXPECT_TRUE(write_output(folder.file("link"), "ours"));
    EXPECT_EQ(content_of(folder.file("of another")), "theirs");
    EXPECT_EQ(content_of(folder.file("link")), "ours");
}

class OutputStreamTest : public testing::Test {
protected:
    TemporaryFolder folder_;
    fs::path file_ = folder_.path() / "report.json";
};

TEST_F(OutputStreamTest, HasItsNameOnlyWhenItIsComplete) {
    OutputStream file(file_);
    EXPECT_FALSE(fs::exists(file_));
    file.complete("whole\n");
    EXPECT_EQ(content_of(file_), "whole\n");
}

TEST_F(OutputStreamTest, LeavesAnOlderFileAloneAndNoPartBehindWhenItIsNotCompleted) {
    std::ofstream(file_) << "older";
    { const OutputStream file(file_); }
    EXPECT_EQ(content_of(file_), "older");
    EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(OutputStreamTest, AFileThatCannotBeWrittenIsSaidBeforeTheRun) {
    try {
        const OutputStream file(folder_.path() / "no" / "such" / "folder.json");
        FAIL() << "it was opened";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("folder.json"));
    }
}

TEST_F(OutputStreamTest, WritesToADeviceAsItIs) {
    OutputStream file("/dev/null");
    EXPECT_NO_THROW(file.complete("gone"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace groma
