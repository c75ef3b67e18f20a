#include "logserver/store/reopened_logs.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <string>

#include "common/os/temporary_folder.hpp"
#include "tests/logserver/recording_writer.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr std::size_t kSliceBytes = 1U << 20U;

class ReopenedLogsTest : public testing::Test {
protected:
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

    /// Opens the log of this name and size. Returns: the file, if it has been read.
    std::optional<LogFile> open(const std::string& name, std::size_t bytes, RecordingWriter& writer) {
        if (not std::filesystem::exists(part_of(file(name)))) {
            std::ofstream(part_of(file(name))) << std::string(bytes, 'x');
        }
        Admission::Slot slot = admission_.admit("hosta");
        return logs_.open({.experiment = "games", .name = name, .node = "hosta", .token = "1"}, file(name), bytes,
                          writer, now_, slot);
    }
    std::optional<ReopenedLog> read_slice() {
        const auto slice = logs_.begin_slice();
        EXPECT_TRUE(slice);
        slice();
        return logs_.end_slice();
    }
    [[nodiscard]] bool host_has_slots() const { return admission_.verdict("hosta") == Admission::Verdict::admitted; }

    TemporaryFolder folder_;
    Admission admission_{2, 2};
    MonoTime now_{1h};
    RecordingWriter writer_;
    RecordingWriter other_writer_;
    ReopenedLogs logs_;
};

TEST_F(ReopenedLogsTest, AreReadByTurns) {
    ASSERT_FALSE(open("long", kSliceBytes + 1, writer_));
    ASSERT_FALSE(open("short", 3, other_writer_));
    EXPECT_FALSE(read_slice()) << "the first slice of the long one";
    const auto first = read_slice();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->claim.name, "short");
    EXPECT_EQ(first->writer, &other_writer_);
    const auto second = read_slice();
    ASSERT_TRUE(second);
    EXPECT_EQ(second->claim.name, "long");
    EXPECT_TRUE(second->file.is_read());
    EXPECT_FALSE(logs_.begin_slice());
    EXPECT_EQ(logs_.awaited(), 0U);
}

TEST_F(ReopenedLogsTest, AreReadOnAndKeptForFiveMinutesWhenTheirWritersLeave) {
    ASSERT_FALSE(open("sender", 3, writer_));
    logs_.leave(writer_, now_);
    EXPECT_EQ(logs_.awaited(), 0U);
    EXPECT_FALSE(read_slice()) << "nobody waits for it";
    logs_.drop_unwanted(now_ + 5min);
    const auto read = open("sender", 3, writer_);
    ASSERT_TRUE(read) << "it has been read";
    EXPECT_TRUE(read->is_read());

    ASSERT_FALSE(open("sender", 3, writer_));
    logs_.leave(writer_, now_);
    EXPECT_FALSE(read_slice());
    logs_.drop_unwanted(now_ + 5min + 1ns);
    EXPECT_FALSE(open("sender", 3, writer_)) << "it is to be read again";
}

TEST_F(ReopenedLogsTest, TakeASlotOnlyWhileAWriterWaits) {
    ASSERT_FALSE(open("sender", 3, writer_));
    ASSERT_FALSE(open("receiver", 3, other_writer_));
    EXPECT_FALSE(host_has_slots());
    logs_.leave(writer_, now_);
    EXPECT_TRUE(host_has_slots());
}

TEST_F(ReopenedLogsTest, GoToTheWriterThatAskedLast) {
    ASSERT_FALSE(open("sender", 3, writer_));
    ASSERT_FALSE(open("sender", 3, other_writer_));
    EXPECT_TRUE(writer_.is_taken_over);
    EXPECT_EQ(logs_.awaited(), 1U);
    const auto read = read_slice();
    ASSERT_TRUE(read);
    EXPECT_EQ(read->writer, &other_writer_);
    EXPECT_FALSE(other_writer_.is_taken_over);
}

TEST_F(ReopenedLogsTest, AreNeitherGivenNorDroppedWhileASliceIsRead) {
    ASSERT_FALSE(open("sender", 3, writer_));
    const auto slice = logs_.begin_slice();
    slice();
    logs_.leave(writer_, now_);
    logs_.drop_unwanted(now_ + 1h);
    EXPECT_FALSE(open("sender", 3, other_writer_)) << "the slice has not ended";
    const auto read = logs_.end_slice();
    ASSERT_TRUE(read);
    EXPECT_EQ(read->writer, &other_writer_);
}

TEST_F(ReopenedLogsTest, ThatCannotBeReadAreGivenWithTheErrorOrForgotten) {
    for (const bool is_awaited : {true, false}) {
        ASSERT_FALSE(open("sender", 3, writer_));
        std::filesystem::resize_file(part_of(file("sender")), 0);
        if (not is_awaited) {
            logs_.leave(writer_, now_);
        }
        const auto read = read_slice();
        ASSERT_EQ(read.has_value(), is_awaited);
        if (read) {
            EXPECT_THAT(read->error, HasSubstr("holds 0 bytes, but 3 had been acknowledged"));
        }
        EXPECT_FALSE(logs_.begin_slice()) << "it is not tried again";
        std::filesystem::remove(part_of(file("sender")));
    }
}

}  // namespace
}  // namespace groma
