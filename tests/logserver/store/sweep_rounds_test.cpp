#include "logserver/store/sweep_rounds.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <span>
#include <string>

#include "common/os/temporary_folder.hpp"
#include "tests/logserver/recording_writer.hpp"

namespace groma {
namespace {

class SweepRoundsTest : public testing::Test {
protected:
    /// A log that is being written and has one piece more than its entry.
    StoredLog& write(const std::string& host = "hosta") {
        CatalogueEntry entry;
        entry.id = static_cast<std::int64_t>(logs_.size()) + 1;
        auto log = std::make_unique<StoredLog>(entry, LogFile(folder_.path() / std::to_string(entry.id), 0));
        log->set_writer(&writer_);
        log->hold(admission_.admit(host));
        add_piece(*log);
        logs_.push_back(std::move(log));
        return *logs_.back();
    }
    static void add_piece(StoredLog& log) {
        (void)log.append({0, log.pieces(), std::as_bytes(std::span("x", 1))}, 1000);
    }
    /// A sweep of those that need it. Returns: their ids.
    std::set<std::int64_t> sweep(bool sync_all = false) {
        std::vector<StoredLog*> due;
        for (const auto& log : logs_) {
            if (log->needs_sweep()) {
                due.push_back(log.get());
            }
        }
        last_ = rounds_.begin(due, sync_all, WallTime{});
        std::set<std::int64_t> swept;
        for (const SyncJob& job : last_.jobs) {
            swept.insert(job.update.id);
            logs_.at(static_cast<std::size_t>(job.update.id) - 1)
                ->end_sweep({job.update.id, SyncOutcome::Kind::done, {}});
        }
        return swept;
    }

    static constexpr std::size_t kMost = SweepRounds::kMostInSweep;

    TemporaryFolder folder_;
    Admission admission_{1000, 1000};
    RecordingWriter writer_;
    std::vector<std::unique_ptr<StoredLog>> logs_;
    SweepRounds rounds_;
    Sweep last_;
};

TEST_F(SweepRoundsTest, ARoundThatNeedsTwoSweepsHasEachLogOnce) {
    for (std::size_t i = 0; i < kMost + 3; ++i) {
        write();
    }
    const auto first = sweep();
    EXPECT_EQ(first.size(), kMost);
    EXPECT_TRUE(rounds_.has_left_over());
    for (const auto& log : logs_) {
        add_piece(*log);
    }
    const auto second = sweep();
    EXPECT_EQ(second.size(), 3U) << "those of the first sweep wait for the next round";
    for (const std::int64_t id : second) {
        EXPECT_FALSE(first.contains(id));
    }
    EXPECT_FALSE(rounds_.has_left_over());
    EXPECT_EQ(sweep().size(), kMost);
}

TEST_F(SweepRoundsTest, ALogThatEndsDoesNotWaitForTheNextRound) {
    for (std::size_t i = 0; i < kMost + 1; ++i) {
        write();
    }
    (void)sweep();
    StoredLog& ending = *logs_.front();
    add_piece(ending);
    (void)ending.give_up({0, ending.pieces(), "killed"});
    EXPECT_TRUE(sweep().contains(ending.entry().id));
}

TEST_F(SweepRoundsTest, AHostWithFewLogsIsNotCrowdedOut) {
    for (std::size_t i = 0; i < kMost + 1; ++i) {
        write();
    }
    const StoredLog& lonely = write("hostb");
    EXPECT_TRUE(sweep().contains(lonely.entry().id));
}

TEST_F(SweepRoundsTest, FilesOfLogsThatEndAreSyncedWhateverThePolicy) {
    StoredLog& log = write();
    (void)sweep();
    EXPECT_EQ(last_.durability, Durability::process);
    EXPECT_EQ(last_.jobs.at(0).written, nullptr);
    add_piece(log);
    (void)log.give_up({0, log.pieces(), "killed"});
    (void)sweep();
    EXPECT_EQ(last_.durability, Durability::machine);
    EXPECT_NE(last_.jobs.at(0).written, nullptr);
    StoredLog& other = write();
    (void)sweep(true);
    EXPECT_EQ(last_.jobs.at(0).update.id, other.entry().id);
    EXPECT_NE(last_.jobs.at(0).written, nullptr);
}

}  // namespace
}  // namespace groma
