#include "mpi/batch/batch_table.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"
#include "common/sqlite/figure_rows.hpp"

namespace groma {

namespace {

constexpr const char* kFirstColumns =
    "number, folder, repetition, seed, state, coalesce(reason, ''), coalesce(run_id, ''), coalesce(verdict, ''), "
    "attempts, started_ns, ended_ns";
constexpr int kFirstColumnCount = 11;

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

std::string quoted(const std::string& column) {
    return '"' + column + '"';
}

std::string schema(const BatchPlan& plan) {
    std::string columns =
        "CREATE TABLE batch(name TEXT NOT NULL, seed INTEGER NOT NULL, file_hash TEXT NOT NULL, runs INTEGER NOT NULL, "
        "program TEXT NOT NULL);"
        "CREATE TABLE attempts(number INTEGER NOT NULL, attempt INTEGER NOT NULL, folder TEXT NOT NULL);"
        "CREATE TABLE runs(number INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE";
    for (const BatchKey& key : plan.keys) {
        columns += ", " + quoted(key.name) + " TEXT NOT NULL";
    }
    columns +=
        ", repetition INTEGER NOT NULL, seed INTEGER NOT NULL, state TEXT NOT NULL CHECK (state IN ('waiting', "
        "'running', 'complete', 'failed', 'interrupted')), reason TEXT, attempts INTEGER NOT NULL, started_ns INTEGER, "
        "ended_ns INTEGER, run_id TEXT, verdict TEXT";
    for (const RunFigure& figure : batch_figures()) {
        columns.append(", ").append(figure.name).append(" ").append(sqlite_type(figure.type));
    }
    return columns + ");";
}

void bind_text(SQLite::Statement& statement, int index, const std::string& text) {
    text.empty() ? statement.bind(index) : statement.bind(index, text);
}

std::optional<std::int64_t> integer_at(SQLite::Statement& row, int index) {
    const SQLite::Column column = row.getColumn(index);
    return column.isNull() ? std::nullopt : std::optional<std::int64_t>(column.getInt64());
}

void read_figures(SQLite::Statement& row, int first, RunFigures& figures) {
    for (const RunFigure& figure : batch_figures()) {
        if (const SQLite::Column value = row.getColumn(first++); not value.isNull()) {
            figures.values[std::string(figure.name)] = figure.type == FigureType::integer
                                                           ? FigureValue(static_cast<std::uint64_t>(value.getInt64()))
                                                           : FigureValue(value.getDouble());
        }
    }
}

std::string select(const std::vector<std::string>& keys) {
    std::string columns = kFirstColumns;
    for (const RunFigure& figure : batch_figures()) {
        columns.append(", ").append(figure.name);
    }
    for (const std::string& key : keys) {
        columns += ", " + quoted(key);
    }
    return "SELECT " + columns + " FROM runs ORDER BY number";
}

BatchRow row_of(SQLite::Statement& found, std::size_t keys) {
    BatchRow row;
    row.number = found.getColumn(0).getUInt();
    row.folder = found.getColumn(1).getString();
    row.repetition = found.getColumn(2).getUInt();
    row.seed = std::bit_cast<std::uint64_t>(found.getColumn(3).getInt64());
    row.outcome.state = parse_run_state(found.getColumn(4).getString());
    row.outcome.reason = found.getColumn(5).getString();
    row.outcome.run_id = found.getColumn(6).getString();
    row.outcome.figures.verdict = found.getColumn(7).getString();
    row.attempts = found.getColumn(8).getUInt();
    row.started_ns = integer_at(found, 9);
    row.ended_ns = integer_at(found, 10);
    read_figures(found, kFirstColumnCount, row.outcome.figures);
    const auto first_key = kFirstColumnCount + static_cast<int>(batch_figures().size());
    for (std::size_t i = 0; i < keys; ++i) {
        row.values.push_back(found.getColumn(first_key + static_cast<int>(i)).getString());
    }
    return row;
}

std::string update_statement() {
    std::string text = "UPDATE runs SET state = ?, reason = ?, run_id = ?, verdict = ?, ended_ns = ?";
    for (const RunFigure& figure : batch_figures()) {
        text.append(", ").append(figure.name).append(" = ?");
    }
    return text + " WHERE number = ?";
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
        version_of(*database_) == 0 ? make(batch, text_hash) : expect(batch, text_hash);
    });
}

BatchTable::~BatchTable() = default;

void BatchTable::make(const Batch& batch, const std::string& text_hash) {
    database_->exec("PRAGMA journal_mode = WAL");
    SQLite::Transaction transaction(*database_);
    database_->exec(schema(batch.plan()));
    SQLite::Statement head(*database_, "INSERT INTO batch VALUES (?, ?, ?, ?, ?)");
    head.bind(1, batch.plan().name);
    head.bind(2, std::bit_cast<std::int64_t>(batch.plan().seed));
    head.bind(3, text_hash);
    head.bind(4, static_cast<std::int64_t>(batch.runs().size()));
    head.bind(5, "groma-mpi " GROMA_VERSION);
    head.exec();
    std::string columns = "number, folder, repetition, seed, state, attempts";
    std::string values = "?, ?, ?, ?, 'waiting', 0";
    for (const std::string& key : keys_) {
        columns += ", " + quoted(key);
        values += ", ?";
    }
    SQLite::Statement row(*database_, "INSERT INTO runs(" + columns + ") VALUES (" + values + ")");
    for (const BatchRun& run : batch.runs()) {
        row.bind(1, run.number);
        row.bind(2, run.name);
        row.bind(3, run.repetition);
        row.bind(4, std::bit_cast<std::int64_t>(run.seed));
        int index = 5;
        for (const std::string& value : batch.values(run)) {
            row.bind(index++, value);
        }
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
        SQLite::Statement query(*database_, select(keys_));
        while (query.executeStep()) {
            rows.push_back(row_of(query, keys_.size()));
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
        SQLite::Statement update(*database_, update_statement());
        update.bind(1, std::string(to_string(outcome.state)));
        bind_text(update, 2, outcome.reason);
        bind_text(update, 3, outcome.run_id);
        bind_text(update, 4, outcome.figures.verdict);
        update.bind(5, ns_since_epoch(now));
        int index = 6;
        for (const RunFigure& figure : batch_figures()) {
            const auto found = outcome.figures.values.find(figure.name);
            bind_figure(update, index++, found == outcome.figures.values.end() ? FigureValue() : found->second);
        }
        update.bind(index, number);
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
        if (version_of(database) == 0) {
            return std::nullopt;
        }
        expect_kind(database, file.string(), kBatchDatabase, kBatchDatabase.version);
        return std::bit_cast<std::uint64_t>(database.execAndGet("SELECT seed FROM batch").getInt64());
    });
}

}  // namespace groma
