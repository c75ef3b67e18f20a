#include "keys/secret_output.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

/// As a shell opens a file for "> FILE".
FileDescriptor redirected_to(const std::string& file, mode_t mode) {
    FileDescriptor fd(checked("open", ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)));
    checked("chmod", ::fchmod(fd.get(), mode));  // whatever this process's umask is
    return fd;
}

mode_t mode_of(const std::string& file) {
    struct stat about {};
    checked("stat", ::stat(file.c_str(), &about));
    return about.st_mode & ALLPERMS;
}

TEST(SecretOutput, AFileThatAShellMadeForAllIsItsOwnersAlone) {
    const TemporaryFolder folder;
    for (const mode_t mode : {0644U, 0666U, 0600U, 0777U}) {
        write_secret(redirected_to(folder.file("lab.key"), mode).get(), "secret\n");
        EXPECT_EQ(mode_of(folder.file("lab.key")), 0600U);
        EXPECT_EQ(content_of(folder.file("lab.key")), "secret\n");
    }
}

TEST(SecretOutput, ANewFileIsItsOwnersAloneAndTakesNoOthersPlace) {
    const TemporaryFolder folder;
    write_new_file(folder.file("monitor.token"), "hash\n");
    EXPECT_EQ(mode_of(folder.file("monitor.token")), 0600U);
    EXPECT_EQ(content_of(folder.file("monitor.token")), "hash\n");
    EXPECT_THROW(write_new_file(folder.file("monitor.token"), "other"), UsageError);
    EXPECT_EQ(content_of(folder.file("monitor.token")), "hash\n");
    EXPECT_THROW(write_new_file(folder.file("absent/monitor.token"), "hash"), SystemError);
}

TEST(SecretOutput, NothingIsWrittenWhereOthersMayGoOnReading) {
    // fchmod() fails on a file that is open as a mere place (O_PATH), for root as well.
    const TemporaryFolder folder;
    static_cast<void>(redirected_to(folder.file("lab.key"), 0644));
    const FileDescriptor place(::open(folder.file("lab.key").c_str(), O_PATH | O_CLOEXEC));
    try {
        write_secret(place.get(), "secret\n");
        ADD_FAILURE() << "accepted";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot make the file on standard output readable by its owner only"));
        EXPECT_THAT(error.what(), HasSubstr("nothing was written: write to a file of your own"));
    }
    EXPECT_EQ(content_of(folder.file("lab.key")), "");
}

TEST(SecretOutput, APipeIsFine) {
    std::array<int, 2> ends{};
    checked("pipe", ::pipe2(ends.data(), O_CLOEXEC));
    const FileDescriptor reader(ends[0]);
    FileDescriptor writer(ends[1]);
    require_no_terminal(writer.get(), "");
    write_secret(writer.get(), "secret\n");
    writer.reset();
    std::array<char, 100> read{};
    EXPECT_EQ(std::string(read.data(), static_cast<std::size_t>(::read(reader.get(), read.data(), read.size()))),
              "secret\n");
}

TEST(SecretOutput, AFullDiskIsAnError) {
    const FileDescriptor full(checked("open", ::open("/dev/full", O_WRONLY | O_CLOEXEC)));
    try {
        write_secret(full.get(), "secret\n");
        ADD_FAILURE() << "accepted";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ENOSPC);
        EXPECT_THAT(error.what(), HasSubstr("cannot write the key to standard output: "));
        EXPECT_THAT(error.what(), Not(HasSubstr("secret")));
    }
}

TEST(SecretOutput, AClosedOutputIsAnError) {
    EXPECT_THROW(write_secret(-1, "secret\n"), SystemError);
}

TEST(SecretOutput, ATerminalIsRefusedWithWhatToWriteInstead) {
    const FileDescriptor master(checked("open a terminal", ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)));
    checked("grant", ::grantpt(master.get()));
    checked("unlock", ::unlockpt(master.get()));
    std::array<char, 100> name{};
    ASSERT_EQ(::ptsname_r(master.get(), name.data(), name.size()), 0);
    const FileDescriptor terminal(checked("open it", ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)));
    try {
        require_no_terminal(terminal.get(), "groma-key new lab > lab.key");
        ADD_FAILURE() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "a key does not belong on a screen: write it to a file (groma-key new lab > lab.key)");
    }
}

}  // namespace
}  // namespace groma
