#include "mpi/batch/batch_schema.hpp"

#include <SQLiteCpp/Statement.h>

#include <bit>
#include <cstddef>
#include <optional>

#include "common/sqlite/figure_rows.hpp"

namespace groma {

namespace {

constexpr const char* kFirstColumns =
    "number, folder, repetition, seed, state, coalesce(reason, ''), coalesce(run_id, ''), coalesce(verdict, ''), "
    "attempts, started_ns, ended_ns";
constexpr int kFirstColumnCount = 11;

std::string quoted(const std::string& column) {
    return '"' + column + '"';
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

}  // namespace

std::string batch_schema(const BatchPlan& plan) {
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

std::string insert_run(const std::vector<std::string>& keys) {
    std::string columns = "number, folder, repetition, seed, state, attempts";
    std::string values = "?, ?, ?, ?, 'waiting', 0";
    for (const std::string& key : keys) {
        columns += ", " + quoted(key);
        values += ", ?";
    }
    return "INSERT INTO runs(" + columns + ") VALUES (" + values + ")";
}

void bind_run(SQLite::Statement& insert, const BatchRun& run, const std::vector<std::string>& values) {
    insert.bind(1, run.number);
    insert.bind(2, run.name);
    insert.bind(3, run.repetition);
    insert.bind(4, std::bit_cast<std::int64_t>(run.seed));
    int index = 5;
    for (const std::string& value : values) {
        insert.bind(index++, value);
    }
}

std::string select_runs(const std::vector<std::string>& keys) {
    std::string columns = kFirstColumns;
    for (const RunFigure& figure : batch_figures()) {
        columns.append(", ").append(figure.name);
    }
    for (const std::string& key : keys) {
        columns += ", " + quoted(key);
    }
    return "SELECT " + columns + " FROM runs ORDER BY number";
}

BatchRow run_in(SQLite::Statement& found, std::size_t keys) {
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

std::string update_outcome() {
    std::string text = "UPDATE runs SET state = ?, reason = ?, run_id = ?, verdict = ?, ended_ns = ?";
    for (const RunFigure& figure : batch_figures()) {
        text.append(", ").append(figure.name).append(" = ?");
    }
    return text + " WHERE number = ?";
}

void bind_outcome(SQLite::Statement& update, std::uint32_t number, const RunOutcome& outcome, WallTime now) {
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
}

}  // namespace groma
