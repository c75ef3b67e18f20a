#include "common/log/earlier_log.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <fstream>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/wire/log_block.hpp"

namespace groma {
namespace {

constexpr EarlierLog kMayGo{.replaced = true};

class EarlierLogTest : public testing::Test {
protected:
    void write(const std::string& text) const { std::ofstream(file_, std::ios::binary) << text; }
    void write_log() const { write(std::string(reinterpret_cast<const char*>(kLogMagic.data()), kLogMagic.size())); }
    /// Another run that writes what has the name.
    [[nodiscard]] FileDescriptor another_run() const {
        FileDescriptor fd(::open(file_.c_str(), O_RDWR | O_CLOEXEC));
        EXPECT_EQ(::flock(fd.get(), LOCK_EX | LOCK_NB), 0);
        return fd;
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "send.glog";
};

TEST_F(EarlierLogTest, AFreeNameAndAnEmptyFileMayBeUsed) {
    EXPECT_FALSE(replaceable_log(file_, O_RDONLY, {}).valid());
    write("");
    EXPECT_TRUE(replaceable_log(file_, O_RDONLY, {}).valid());
}

TEST_F(EarlierLogTest, ALogIsReplacedOnlyWhereThatIsWanted) {
    write_log();
    EXPECT_TRUE(replaceable_log(file_, O_RDONLY, kMayGo).valid());
    try {
        (void)replaceable_log(file_, O_RDONLY, {.replaced = false, .advice = "or --force to replace it"});
        FAIL() << "replaced";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), testing::EndsWith("is there already; give another name, or --force to replace it"));
    }
}

TEST_F(EarlierLogTest, WhatIsNoLogIsNeverReplaced) {
    write("notes");
    EXPECT_THROW((void)replaceable_log(file_, O_RDONLY, kMayGo), UsageError);
    std::filesystem::remove(file_);
    std::filesystem::create_directory(file_);
    EXPECT_THROW((void)replaceable_log(file_, O_RDONLY, kMayGo), UsageError);
}

TEST_F(EarlierLogTest, ALogThatAnotherRunWritesIsNotReplaced) {
    write_log();
    {
        const FileDescriptor other = another_run();
        EXPECT_THROW((void)replaceable_log(file_, O_RDONLY, kMayGo), RunError);
        EXPECT_THROW((void)make_log_part(file_, kMayGo), RunError);
    }
    EXPECT_TRUE(make_log_part(file_, kMayGo).valid());
}

TEST_F(EarlierLogTest, APartIsANewFileThatOthersCannotTake) {
    write_log();
    const FileDescriptor old(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
    const FileDescriptor part = make_log_part(file_, kMayGo);
    EXPECT_TRUE(is_empty_file(part));
    EXPECT_FALSE(is_empty_file(old));
    EXPECT_TRUE(is_name_of_file(file_, part));
    EXPECT_FALSE(is_name_of_file(file_, old));
    EXPECT_THROW((void)make_log_part(file_, kMayGo), RunError);
}

TEST_F(EarlierLogTest, ALinkIsNeitherFollowedNorReplaced) {
    const std::filesystem::path other = folder_.path() / "other";
    write_log();
    std::filesystem::rename(file_, other);
    std::filesystem::create_symlink(other, file_);
    EXPECT_THROW((void)make_log_part(file_, kMayGo), UsageError);
    const FileDescriptor followed(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
    EXPECT_FALSE(is_name_of_file(file_, followed));
    EXPECT_TRUE(is_name_of_file(other, followed));
}

}  // namespace
}  // namespace groma
