#include "decoder/repetitions/stored_batch.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A table of runs with these columns as keys, as SQL has them.
class StoredBatch : public testing::Test {
protected:
    void create(const std::string& keys) {
        database_.exec(
            "PRAGMA application_id = 0x67726f62; PRAGMA user_version = 1; CREATE TABLE batch(name TEXT);"
            "CREATE TABLE runs(number INTEGER, folder TEXT, " +
            keys +
            "repetition INTEGER, state TEXT, reason TEXT, scheduled_pps REAL, sent_pps REAL, rate_error REAL, "
            "lateness_p99_ns REAL, sent_packets INTEGER, received_packets INTEGER, lost INTEGER, duplicates INTEGER, "
            "reordered INTEGER, throughput_bps REAL, delay_mean_ns REAL, delay_p50_ns REAL, delay_p99_ns REAL, "
            "delay_max_ns REAL)");
    }

    TemporaryFolder folder_;
    std::string file_ = folder_.file("batch.sqlite");
    SQLite::Database database_{file_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(StoredBatch, HasTheKeysBetweenFolderAndRepetitionWhateverTheyAreCalled) {
    create("\"a \"\"b\"\"\" TEXT, \"x; DROP TABLE runs\" TEXT, \"\x1b[2J\" TEXT, ");
    database_.exec(
        "INSERT INTO runs VALUES(1, 'run1', 'one', 'two', 'three', 1, 'complete', NULL, 10, 10, 0, 0, 0, 0, "
        "0, 0, 0, 0, 0, 0, 0, 0)");
    const Repetitions found = read_batch_table(file_);
    EXPECT_THAT(found.keys, ElementsAre("a \"b\"", "x; DROP TABLE runs", "\\x1b[2J"));
    ASSERT_EQ(found.runs.size(), 1U);
    EXPECT_THAT(found.runs[0].values, ElementsAre("one", "two", "three"));
    EXPECT_EQ(found.runs[0].figures.at("scheduled_pps"), 10);
    EXPECT_FALSE(found.runs[0].figures.contains("loss_ratio"));  // nothing was sent
}

TEST_F(StoredBatch, HasItsRunsInTheOrderOfTheirNumbers) {
    create("");
    database_.exec(
        "INSERT INTO runs(number, folder, state, reason, sent_packets, lost) VALUES(2, 'b', 'complete', '', 8, 2), "
        "(1, 'a', 'failed', '', NULL, 2)");
    const Repetitions found = read_batch_table(file_);
    EXPECT_THAT(found.keys, IsEmpty());
    ASSERT_EQ(found.runs.size(), 2U);
    EXPECT_EQ(found.runs[0].name, "a");
    EXPECT_EQ(found.runs[0].left_out, "failed");
    EXPECT_FALSE(found.runs[0].figures.contains("loss_ratio"));
    EXPECT_EQ(found.runs[1].left_out, "");
    EXPECT_EQ(found.runs[1].figures.at("loss_ratio"), 0.25);
}

}  // namespace
}  // namespace groma
