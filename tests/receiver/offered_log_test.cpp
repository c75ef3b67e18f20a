#include "receiver/offered_log.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common/base/errors.hpp"
#include "common/log/file_sink.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

/// Two sections and 5 bytes.
std::vector<std::byte> some_log() {
    std::vector<std::byte> bytes(2 * kLogSectionBytes + 5);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(i * i >> 3U);
    }
    return bytes;
}

std::uint64_t hash_of(std::span<const std::byte> bytes) {
    RunningHash hash;
    hash.add(bytes);
    return hash.value();
}

class OfferedLogTest : public ::testing::Test {
protected:
    OfferedLogTest() : sink_(open_named_file_sink(file_)), offered_(file_, "") {
        sink_->append(log_);
        sink_->close();
    }

    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "a.glog";
    std::vector<std::byte> log_ = some_log();
    std::unique_ptr<LogSink> sink_;
    OfferedLog offered_;
};

TEST_F(OfferedLogTest, IsGivenInSectionsWithTheHashOfAllSoFar) {
    std::vector<std::byte> all;
    for (const std::size_t offset : {std::size_t{0}, kLogSectionBytes, 2 * kLogSectionBytes}) {
        const LogSection section = offered_.section(offset);
        EXPECT_EQ(section.offset, offset);
        EXPECT_EQ(section.log_bytes, log_.size());
        all.insert(all.end(), section.bytes.begin(), section.bytes.end());
        EXPECT_EQ(section.hash, hash_of(all));
    }
    EXPECT_EQ(all, log_);
}

TEST_F(OfferedLogTest, HashesAlsoWhatIsNotAskedForAgain) {
    const LogSection last = offered_.section(2 * kLogSectionBytes);
    EXPECT_EQ(last.bytes.size(), 5U);
    EXPECT_EQ(last.hash, hash_of(log_));
}

TEST_F(OfferedLogTest, HasNoSectionsBeforeTheLastNorBehindItsEnd) {
    (void)offered_.section(kLogSectionBytes);
    EXPECT_THROW((void)offered_.section(0), UsageError);
    EXPECT_THROW((void)offered_.section(kLogSectionBytes), UsageError);
    EXPECT_THROW((void)offered_.section(3 * kLogSectionBytes), UsageError);
    EXPECT_THROW((void)offered_.section(UINT64_MAX - kLogSectionBytes + 1), UsageError);
}

TEST_F(OfferedLogTest, IsRemovedOnlyAfterItsLastSection) {
    EXPECT_THROW(offered_.remove(), UsageError);
    (void)offered_.section(kLogSectionBytes);
    EXPECT_THROW(offered_.remove(), UsageError);
    (void)offered_.section(2 * kLogSectionBytes);
    offered_.remove();
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(OfferedLogTest, IsTheFileThatWasWrittenWhateverHasItsNameNow) {
    std::filesystem::remove(file_);
    std::ofstream(file_) << "the log of another";
    EXPECT_EQ(offered_.section(2 * kLogSectionBytes).hash, hash_of(log_));
    try {
        offered_.remove();
        ADD_FAILURE() << "another's file was removed";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("another file has its name"));
    }
    EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(OfferedLogTest, ThatHasBecomeShorterIsAnError) {
    std::filesystem::resize_file(file_, kLogSectionBytes + 1);
    (void)offered_.section(0);
    EXPECT_EQ(offered_.section(kLogSectionBytes).bytes.size(), 1U);
    std::filesystem::resize_file(file_, 1);
    EXPECT_THROW((void)offered_.section(2 * kLogSectionBytes), UsageError);
}

}  // namespace
}  // namespace groma
