#include "common/log/open_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

void write_file(const std::string& name, std::string_view text) {
    std::ofstream(name) << text;
}

std::int64_t size_of(const FileDescriptor& fd) {
    struct stat about {};
    EXPECT_EQ(::fstat(fd.get(), &about), 0);
    return about.st_size;
}

TEST(OpenLog, OneThatGotItsNameSinceItWasLookedForIsThere) {
    const TemporaryFolder folder;
    write_file(folder.file("x.glog.part"), "whole");
    std::filesystem::rename(folder.file("x.glog.part"), folder.file("x.glog"));
    EXPECT_EQ(size_of(open_log(folder.file("x.glog.part"))), 5);
}

TEST(OpenLog, APartThatIsThereIsNotTheOlderLogOfThatName) {
    const TemporaryFolder folder;
    write_file(folder.file("x.glog"), "older");
    write_file(folder.file("x.glog.part"), "new");
    EXPECT_EQ(size_of(open_log(folder.file("x.glog.part"))), 3);
    EXPECT_EQ(size_of(open_log(folder.file("x.glog"))), 5);
}

TEST(OpenLog, OneThatIsNotThereIsNamedAsItWasGiven) {
    const TemporaryFolder folder;
    write_file(folder.file("y.glog.part"), "not asked for");
    for (const char* name : {"x.glog.part", "y.glog"}) {
        try {
            static_cast<void>(open_log(folder.file(name)));
            FAIL() << name;
        } catch (const SystemError& error) {
            EXPECT_EQ(error.errno_value(), ENOENT);
            EXPECT_THAT(error.what(), HasSubstr(std::string(name) + ":"));
        }
    }
}

}  // namespace
}  // namespace groma
