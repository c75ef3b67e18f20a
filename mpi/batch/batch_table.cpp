#include "mpi/batch/batch_table.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <bit>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"
#include "mpi/batch/batch_schema.hpp"

namespace groma {

namespace {

RunError unusable(const std::filesystem::path& file, std::string_view why) {
    return RunError("cannot use the table of runs " + file.string() + ": " + plain_text(why));
}

/// Runs SQLite calls; converts their errors to ours, with the file's name.
template <typename Action>
auto with_file(const std::filesystem::path& file, const Action& action) {
    try {
        return action();
    } catch (const SQLite::Exception& error) {
        throw unusable(file, error.what());
    } catch (const UsageError& error) {
        throw unusable(file, error.what());
    }
}

int version_of(SQLite::Database& database) {
    return database.execAndGet("PRAGMA user_version").getInt();
}

}  // namespace

BatchTable::BatchTable(const std::filesystem::path& folder, const Batch& batch, const std::string& text_hash)
    : batch_(batch), file_(folder / kBatchTable) {
    for (const BatchKey& key : batch.plan().keys) {
        keys_.push_back(key.name);
    }
    with_file(file_, [&] {
        database_ = std::make_unique<SQLite::Database>(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                                       kSqliteBusyMs);
        distrust(*database_);
        version_of(*database_) == 0 ? make(batch, text_hash) : expect(batch, text_hash);
    });
}

BatchTable::~BatchTable() = default;

void BatchTable::make(const Batch& batch, const std::string& text_hash) {
    database_->exec("PRAGMA journal_mode = WAL");
    SQLite::Transaction transaction(*database_);
    database_->exec(batch_schema(batch.plan()));
    SQLite::Statement head(*database_, "INSERT INTO batch VALUES (?, ?, ?, ?, ?)");
    head.bind(1, batch.plan().name);
    head.bind(2, std::bit_cast<std::int64_t>(batch.plan().seed));
    head.bind(3, text_hash);
    head.bind(4, static_cast<std::int64_t>(batch.runs().size()));
    head.bind(5, "groma-mpi " GROMA_VERSION);
    head.exec();
    SQLite::Statement row(*database_, insert_run(keys_));
    for (const BatchRun& run : batch.runs()) {
        bind_run(row, run, batch.values(run));
        row.exec();
        row.reset();
    }
    mark_database(*database_, kBatchDatabase);
    transaction.commit();
}

void BatchTable::expect(const Batch& batch, const std::string& text_hash) const {
    expect_kind(*database_, file_.string(), kBatchDatabase, kBatchDatabase.version);
    SQLite::Statement head(*database_, "SELECT name, seed, file_hash FROM batch");
    if (not head.executeStep()) {
        throw RunError(file_.string() + " says nothing about its batch: --out DIR names another folder");
    }
    if (head.getColumn(2).getString() != text_hash) {
        throw RunError("cannot go on in " + file_.parent_path().string() +
                       ": it has runs of another experiment file, or " +
                       "of this one before it was changed (experiment.toml there is that file): --out DIR names "
                       "another folder");
    }
    if (std::bit_cast<std::uint64_t>(head.getColumn(1).getInt64()) != batch.plan().seed) {
        throw RunError("cannot go on in " + file_.parent_path().string() +
                       ": its runs were made with another seed: leave out --seed to go on, or name another folder with "
                       "--out DIR");
    }
}

std::vector<BatchRow> BatchTable::rows() const {
    return with_file(file_, [&] {
        std::vector<BatchRow> rows;
        SQLite::Statement query(*database_, select_runs(keys_));
        while (query.executeStep()) {
            rows.push_back(run_in(query, keys_.size()));
        }
        if (not std::ranges::equal(rows, batch_.runs(),
                                   [this](const BatchRow& row, const BatchRun& run) { return is_of(row, run); })) {
            throw unusable(file_, "its rows are not the runs of its batch (--out DIR names another folder)");
        }
        return rows;
    });
}

bool BatchTable::is_of(const BatchRow& row, const BatchRun& run) const {
    return row.number == run.number and row.folder == run.name and row.repetition == run.repetition and
           row.seed == run.seed and row.values == batch_.values(run);
}

void BatchTable::set_running(std::uint32_t number, WallTime now) {
    with_file(file_, [&] {
        SQLite::Statement update(*database_,
                                 "UPDATE runs SET state = 'running', reason = NULL, attempts = attempts + 1, "
                                 "started_ns = ?, ended_ns = NULL WHERE number = ?");
        update.bind(1, ns_since_epoch(now));
        update.bind(2, number);
        update.exec();
    });
}

void BatchTable::set_outcome(std::uint32_t number, const RunOutcome& outcome, WallTime now) {
    with_file(file_, [&] {
        SQLite::Statement update(*database_, update_outcome());
        bind_outcome(update, number, outcome, now);
        update.exec();
    });
}

void BatchTable::set_interrupted(std::uint32_t number, const std::string& reason) {
    with_file(file_, [&] {
        SQLite::Statement update(*database_, "UPDATE runs SET state = 'interrupted', reason = ? WHERE number = ?");
        update.bind(1, reason);
        update.bind(2, number);
        update.exec();
    });
}

void BatchTable::note_attempt(std::uint32_t number, const std::string& folder) {
    with_file(file_, [&] {
        SQLite::Statement insert(*database_,
                                 "INSERT INTO attempts SELECT number, attempts, ? FROM runs WHERE number = ?");
        insert.bind(1, folder);
        insert.bind(2, number);
        insert.exec();
    });
}

std::optional<std::uint64_t> seed_of_batch_in(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kBatchTable;
    if (not std::filesystem::exists(file)) {
        return std::nullopt;
    }
    return with_file(file, [&]() -> std::optional<std::uint64_t> {
        // Opened for writing, so that SQLite replays the journal of a killed job.
        SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, kSqliteBusyMs);
        distrust(database);
        if (version_of(database) == 0) {
            return std::nullopt;
        }
        expect_kind(database, file.string(), kBatchDatabase, kBatchDatabase.version);
        return std::bit_cast<std::uint64_t>(database.execAndGet("SELECT seed FROM batch").getInt64());
    });
}

}  // namespace groma
