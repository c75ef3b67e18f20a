#include "common/log/file_sink.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

class FileSink : public testing::Test {
protected:
    [[nodiscard]] fs::path file() const { return folder_.path() / "send.glog"; }
    [[nodiscard]] fs::path part() const { return folder_.path() / "send.glog.part"; }

    TemporaryFolder folder_;
};

TEST_F(FileSink, ALogHasItsNameOnlyWhenItIsWhole) {
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("one "));
    EXPECT_FALSE(fs::exists(file()));
    sink->append(bytes_of("two"));
    sink->close();
    EXPECT_EQ(content_of(file()), "one two");
    EXPECT_FALSE(fs::exists(part()));
}

TEST_F(FileSink, WhoReadsAlongSeesEveryPieceAtOnce) {
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("one "));
    EXPECT_EQ(content_of(part()), "one ");
}

TEST_F(FileSink, ALogThatIsNeverClosedStaysAPart) {
    open_file_sink(file())->append(bytes_of("half"));
    EXPECT_FALSE(fs::exists(file()));
    EXPECT_EQ(content_of(part()), "half");
}

TEST_F(FileSink, AnOlderLogIsKeptUntilTheNewOneIsWhole) {
    std::ofstream(file()) << "old";
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("new"));
    EXPECT_EQ(content_of(file()), "old");
    sink->close();
    EXPECT_EQ(content_of(file()), "new");
}

TEST_F(FileSink, AnOlderPartIsWrittenAnew) {
    std::ofstream(part()) << "a long part of an older run";
    const auto sink = open_file_sink(file());
    sink->append(bytes_of("new"));
    sink->close();
    EXPECT_EQ(content_of(file()), "new");
}

TEST_F(FileSink, TwoRunsCannotWriteTheSameLog) {
    const auto first = open_file_sink(file());
    first->append(bytes_of("first"));
    EXPECT_THROW(static_cast<void>(open_file_sink(file())), SystemError);
    first->close();
    EXPECT_EQ(content_of(file()), "first");
}

TEST_F(FileSink, AFolderThatIsMissingIsSaidBeforeTheRun) {
    try {
        static_cast<void>(open_file_sink(folder_.path() / "no" / "send.glog"));
        FAIL() << "opened a log in a folder that is not there";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ENOENT);
        EXPECT_THAT(error.what(), testing::HasSubstr("/no/send.glog"));
    }
}

TEST_F(FileSink, AFolderIsNotALog) {
    EXPECT_THROW(static_cast<void>(open_file_sink(folder_.path())), SystemError);
}

TEST_F(FileSink, AFullDiskIsSaidWithTheNameOfTheLog) {
    const auto sink = open_file_sink("/dev/full");
    try {
        sink->append(bytes_of("x"));
        FAIL() << "wrote to a full disk";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ENOSPC);
        EXPECT_THAT(error.what(), testing::HasSubstr("cannot write /dev/full: No space left"));
    }
}

TEST_F(FileSink, AnErrorIsNotForgottenAtTheEnd) {
    const auto sink = open_file_sink("/dev/full");
    EXPECT_THROW(sink->append(bytes_of("x")), SystemError);
    EXPECT_THROW(sink->append(bytes_of("x")), SystemError);
    EXPECT_THROW(sink->close(), SystemError);
}

TEST_F(FileSink, ADeviceIsWrittenUnderItsOwnName) {
    const auto sink = open_file_sink("/dev/null");
    sink->append(bytes_of("x"));
    sink->close();
    EXPECT_FALSE(fs::exists("/dev/null.part"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FileSink, SaysWhichLogItIs) {
    EXPECT_EQ(open_file_sink(file())->describe(), file().string());
}

}  // namespace
}  // namespace groma
