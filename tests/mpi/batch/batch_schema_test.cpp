#include "mpi/batch/batch_schema.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/mpi/sample_batch.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The tables of a batch with all of its runs, in memory.
class BatchSchemaTest : public ::testing::Test {
protected:
    BatchSchemaTest() {
        for (const BatchKey& key : batch_.plan().keys) {
            keys_.push_back(key.name);
        }
        database_.exec(batch_schema(batch_.plan()));
        SQLite::Statement insert(database_, insert_run(keys_));
        for (const BatchRun& run : batch_.runs()) {
            bind_run(insert, run, batch_.values(run));
            insert.exec();
            insert.reset();
        }
    }

    std::vector<BatchRow> rows() {
        std::vector<BatchRow> rows;
        SQLite::Statement query(database_, select_runs(keys_));
        while (query.executeStep()) {
            rows.push_back(run_in(query, keys_.size()));
        }
        return rows;
    }

    void end(std::uint32_t number, const RunOutcome& outcome) {
        SQLite::Statement update(database_, update_outcome());
        bind_outcome(update, number, outcome, wall_time_from_ns(77));
        update.exec();
    }

    Batch batch_ = sample_batch();
    std::vector<std::string> keys_;
    SQLite::Database database_{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE};
};

TEST_F(BatchSchemaTest, ARunIsReadAsItWasInserted) {
    const std::vector<BatchRow> all = rows();
    ASSERT_EQ(all.size(), 4U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const BatchRun& run = batch_.runs()[i];
        EXPECT_EQ(all[i].number, run.number);
        EXPECT_EQ(all[i].folder, run.name);
        EXPECT_EQ(all[i].repetition, run.repetition);
        EXPECT_EQ(all[i].seed, run.seed);
        EXPECT_EQ(all[i].values, batch_.values(run));
        EXPECT_EQ(all[i].attempts, 0U);
        EXPECT_EQ(all[i].started_ns, std::nullopt);
        EXPECT_EQ(all[i].ended_ns, std::nullopt);
        EXPECT_EQ(all[i].outcome.state, RunState::waiting);
        EXPECT_EQ(all[i].outcome.reason, "");
    }
}

TEST_F(BatchSchemaTest, AnOutcomeIsReadAsItWasKept) {
    RunOutcome outcome{RunState::failed, "flow1 broke", std::string(32, 'a'), {}};
    outcome.figures.verdict = "within";
    for (const RunFigure& figure : batch_figures()) {
        const auto number = static_cast<std::uint64_t>(outcome.figures.values.size());
        outcome.figures.values[std::string(figure.name)] =
            figure.type == FigureType::integer ? FigureValue(number) : FigureValue(static_cast<double>(number) + 0.5);
    }
    end(3, outcome);
    const std::vector<BatchRow> all = rows();
    EXPECT_EQ(all.at(2).outcome.state, RunState::failed);
    EXPECT_EQ(all.at(2).outcome.reason, "flow1 broke");
    EXPECT_EQ(all.at(2).outcome.run_id, std::string(32, 'a'));
    EXPECT_EQ(all.at(2).outcome.figures, outcome.figures);
    EXPECT_EQ(all.at(2).ended_ns, 77);
    EXPECT_EQ(all.at(1).outcome.state, RunState::waiting) << "another run";
}

TEST_F(BatchSchemaTest, WhatIsUnknownIsNull) {
    end(1, {RunState::failed, "", "", {}});
    EXPECT_THAT(rows().at(0).outcome.figures.values, IsEmpty());
    EXPECT_EQ(database_
                  .execAndGet("SELECT count(*) FROM runs WHERE number = 1 AND reason IS NULL AND run_id IS NULL AND "
                              "verdict IS NULL AND lost IS NULL")
                  .getInt(),
              1);
}

TEST_F(BatchSchemaTest, RefusesAStateThatThereIsNotAndAFolderOfAnotherRun) {
    EXPECT_THROW(database_.exec("UPDATE runs SET state = 'done'"), SQLite::Exception);
    EXPECT_THROW(database_.exec("UPDATE runs SET folder = 'same'"), SQLite::Exception);
}

TEST_F(BatchSchemaTest, RunsComeInTheirOrder) {
    database_.exec("UPDATE runs SET number = 9 WHERE number = 1");
    std::vector<std::uint32_t> numbers;
    for (const BatchRow& row : rows()) {
        numbers.push_back(row.number);
    }
    EXPECT_THAT(numbers, ElementsAre(2U, 3U, 4U, 9U));
}

}  // namespace
}  // namespace groma
