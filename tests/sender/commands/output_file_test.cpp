#include "sender/commands/output_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
    TemporaryFolder folder_;
    fs::path file_ = folder_.path() / "report.json";
};

TEST_F(OutputFileTest, HasItsNameOnlyWhenItIsComplete) {
    OutputFile file(file_);
    EXPECT_FALSE(fs::exists(file_));
    file.complete("whole\n");
    EXPECT_EQ(content_of(file_), "whole\n");
}

TEST_F(OutputFileTest, LeavesAnOlderFileAloneAndNoPartBehindWhenItIsNotCompleted) {
    std::ofstream(file_) << "older";
    { const OutputFile file(file_); }
    EXPECT_EQ(content_of(file_), "older");
    EXPECT_EQ(files_in(folder_.path()), 1);
}

TEST_F(OutputFileTest, AFileThatCannotBeWrittenIsSaidBeforeTheRun) {
    try {
        const OutputFile file(folder_.path() / "no" / "such" / "folder.json");
        FAIL() << "it was opened";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("folder.json"));
    }
}

TEST_F(OutputFileTest, WritesToADeviceAsItIs) {
    OutputFile file("/dev/null");
    EXPECT_NO_THROW(file.complete("gone"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace groma
