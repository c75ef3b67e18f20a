#include "decoder/files/output.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

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

}  // namespace
}  // namespace groma
