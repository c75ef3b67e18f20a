#include "sender/run/sender_log.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>

#include "common/base/errors.hpp"
#include "common/log/log_reader.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/files.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// The contents of a log besides packets.
struct LogFrame final : LogVisitor {
    void on_metadata(const RunMetadata& metadata) override { run_id = metadata.run_id; }
    void on_probe(const ClockProbe& probe) override { probes.push_back(probe); }
    void on_event(const LogEvent& event) override { events.push_back(event); }
    void on_totals(const LogTotals& totals) override { end = totals.end; }

    std::string run_id;
    std::vector<ClockProbe> probes;
    std::vector<LogEvent> events;
    std::string end;
};

class SenderLogTest : public testing::Test {
protected:
    SenderLogTest() { options_.log = file_; }

    static RunMetadata metadata() {
        RunMetadata metadata;
        metadata.run_id = "0123456789abcdef0123456789abcdef";
        return metadata;
    }
    std::optional<LogReport> close(SenderLog& log, const std::string& error) const {
        return log.close({event_}, {probe_}, {.ended_at = {}, .end = "complete", .flows = {}}, error);
    }
    [[nodiscard]] LogFrame read_from(const std::string& file) const {
        LogFrame found;
        read_log(file, found);
        return found;
    }

    TemporaryFolder folder_;
    const std::string file_ = folder_.file("send.glog");
    const ClockProbe probe_{
        wall_time_from_ns(1), wall_time_from_ns(2), wall_time_from_ns(3), wall_time_from_ns(4), "beta", "boot"};
    const LogEvent event_{wall_time_from_ns(5), FlowId{1}, "interrupted", "the user stopped the run"};
    SenderOptions options_;
};

TEST_F(SenderLogTest, ForTheClientWaitsWithoutANameInTheRoomOfSpools) {
    options_.log.clear();
    options_.logs_for_client.own = "send-alpha.glog";
    options_.spool_dir = folder_.path() / "spool";
    options_.spool_budget = std::make_shared<SpoolBudget>(1U << 20U);
    {
        SenderLog log(options_, kernel_clock());
        log.begin(metadata());
        EXPECT_THAT(close(log, "")->error, testing::IsEmpty());
        EXPECT_TRUE(std::filesystem::is_empty(options_.spool_dir));
        const LogSection whole = log.written().section(0);
        EXPECT_EQ(whole.log_bytes, whole.bytes.size());
        EXPECT_EQ(options_.spool_budget->used(), whole.log_bytes);
        std::ofstream(file_, std::ios::binary)
            .write(reinterpret_cast<const char*>(whole.bytes.data()), static_cast<std::streamsize>(whole.log_bytes));
        EXPECT_EQ(read_from(file_).run_id, metadata().run_id);
    }
    EXPECT_EQ(options_.spool_budget->used(), 0U);
    options_.spool_budget = std::make_shared<SpoolBudget>(1);
    SenderLog full(options_, kernel_clock());
    try {
        full.begin(metadata());
        ADD_FAILURE() << "there was no room";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot keep the sender's log until the run is over"));
    }
}

TEST_F(SenderLogTest, HasWhatWasSeenBesidesPacketsWhenItIsClosed) {
    SenderLog log(options_, kernel_clock());
    EXPECT_TRUE(log.wanted());
    log.begin(metadata());
    ASSERT_NE(log.writer(), nullptr);
    const std::optional<LogReport> report = close(log, "");
    ASSERT_TRUE(report);
    EXPECT_THAT(report->name, EndsWith("send.glog"));
    EXPECT_EQ(report->error, "");
    EXPECT_EQ(report->bytes, std::filesystem::file_size(file_));
    const LogFrame found = read_from(file_);
    EXPECT_EQ(found.run_id, metadata().run_id);
    EXPECT_THAT(found.probes, ElementsAre(probe_));
    EXPECT_THAT(found.events, ElementsAre(event_));
    EXPECT_EQ(found.end, "complete");
}

TEST_F(SenderLogTest, DoesNotLookWholeWhenRecordsCouldNotBeLogged) {
    {
        SenderLog log(options_, kernel_clock());
        log.begin(metadata());
        const std::optional<LogReport> report = close(log, "the disk is full");
        ASSERT_TRUE(report);
        EXPECT_EQ(report->error, "the disk is full");
    }
    EXPECT_FALSE(std::filesystem::exists(file_));
    EXPECT_EQ(read_from(file_ + ".part").end, "");
}

TEST_F(SenderLogTest, IsAsLongAsTheKeyOfADaemonsClientLetsItBecome) {
    options_.bounds = SendBounds{.client = Grant{.name = "lab", .limits = parse_limits("log-bytes=10MB")}};
    {
        SenderLog log(options_, kernel_clock());
        log.begin(metadata());
        EXPECT_EQ(close(log, "")->error, "");
    }
    const std::uint64_t needed = std::filesystem::file_size(file_);
    options_.log = folder_.file("again.glog");
    options_.key_logs = std::make_shared<KeyLogs>();
    options_.bounds->client->limits.log_bytes = Bytes{needed - 1};
    {
        SenderLog log(options_, kernel_clock());
        log.begin(metadata());
        EXPECT_THAT(close(log, "")->error, HasSubstr("the key 'lab' allows at most"));
    }
    EXPECT_FALSE(std::filesystem::exists(options_.log));
    EXPECT_EQ(read_from(options_.log + ".part").run_id, metadata().run_id);
}

TEST_F(SenderLogTest, LeavesNothingWhenTheRunNeverBegan) {
    {
        SenderLog log(options_, kernel_clock());
        EXPECT_TRUE(log.wanted());
        EXPECT_FALSE(close(log, ""));
    }
    EXPECT_EQ(files_in(folder_.path()), 0);
}

TEST_F(SenderLogTest, IsNotThereUnlessItWasAskedFor) {
    options_.log.clear();
    SenderLog log(options_, kernel_clock());
    log.ship_to({.folder = "send-0123"});
    EXPECT_FALSE(log.wanted());
    log.begin(metadata());
    EXPECT_EQ(log.writer(), nullptr);
    EXPECT_FALSE(close(log, ""));
}

}  // namespace
}  // namespace groma
