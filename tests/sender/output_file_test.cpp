#include "sender/output_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "common/base/errors.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
protected:
    void SetUp() override { fs::create_directory(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    static std::string content(const fs::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path folder_ = fs::temp_directory_path() / ("groma_output_file_test_" + std::to_string(::getpid()));
    fs::path file_ = folder_ / "report.json";
};

TEST_F(OutputFileTest, HasItsNameOnlyWhenItIsComplete) {
    OutputFile file(file_);
    EXPECT_FALSE(fs::exists(file_));
    file.complete("whole\n");
    EXPECT_EQ(content(file_), "whole\n");
}

TEST_F(OutputFileTest, LeavesAnOlderFileAloneAndNoPartBehindWhenItIsNotCompleted) {
    std::ofstream(file_) << "older";
    { const OutputFile file(file_); }
    EXPECT_EQ(content(file_), "older");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(OutputFileTest, AFileThatCannotBeWrittenIsSaidBeforeTheRun) {
    try {
        const OutputFile file(folder_ / "no" / "such" / "folder.json");
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
