#include "decoder/repetitions/stored_batch.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"
#include "decoder/repetitions/repetition_cells.hpp"

namespace groma {

namespace {

/// Columns of a batch's table that have a meaning of their own: every other one from `folder` to `repetition` is a key.
constexpr std::array kBatchFigures = {"scheduled_pps", "sent_pps",         "rate_error",    "lateness_p99_ns",
                                      "sent_packets",  "received_packets", "lost",          "duplicates",
                                      "reordered",     "throughput_bps",   "delay_mean_ns", "delay_p50_ns",
                                      "delay_p99_ns",  "delay_max_ns"};

std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char byte : name) {
        text += byte == '"' ? std::string("\"\"") : std::string(1, byte);
    }
    return text + '"';
}

std::vector<std::string> keys_of(const SQLite::Database& database) {
    std::vector<std::string> keys;
    SQLite::Statement columns(database, "SELECT name FROM pragma_table_info('runs') ORDER BY cid");
    bool within = false;
    while (columns.executeStep()) {
        const std::string name = columns.getColumn(0).getString();
        if (name == "repetition") {
            return keys;
        }
        if (within) {
            keys.push_back(name);
        }
        within = within or name == "folder";
    }
    throw RunError("its table of runs has no column 'repetition'");
}

RepeatedRun batch_run(const SQLite::Statement& row, std::size_t keys) {
    RepeatedRun run;
    run.name = plain_text_at(row, 0);
    const std::string state = plain_text_at(row, 1);
    const std::string reason = plain_text_at(row, 2);
    if (state != "complete") {
        run.left_out = reason.empty() ? state : state + ": " + reason;
    }
    int column = 3;
    for (std::size_t i = 0; i < keys; ++i) {
        run.values.push_back(plain_text_at(row, column++));
    }
    for (const char* figure : kBatchFigures) {
        add_figure(run, figure, row.getColumn(column++));
    }
    if (const auto sent = run.figures.find("sent_packets"); sent != run.figures.end()) {
        run.figures["due_packets"] = sent->second;  // each flow of groma-mpi has one receiver
    }
    add_loss_ratio(run);
    return run;
}

Repetitions batch_of(const SQLite::Database& database) {
    Repetitions found;
    SQLite::Statement head(database, "SELECT name FROM batch");
    if (head.executeStep()) {
        found.title = plain_text_at(head, 0);
    }
    const std::vector<std::string> columns = keys_of(database);
    std::string query = "SELECT folder, state, reason";
    for (const std::string& key : columns) {
        found.keys.push_back(plain_text(key, kMaxCellText));
        query += ", " + quoted(key);
    }
    for (const char* figure : kBatchFigures) {
        query += std::string(", ") + figure;
    }
    SQLite::Statement row(database, query + " FROM runs ORDER BY number");
    while (row.executeStep()) {
        found.runs.push_back(batch_run(row, columns.size()));
    }
    return found;
}

}  // namespace

Repetitions read_batch_table(const std::filesystem::path& file) {
    return read_database(file, kBatchDatabase, batch_of);
}

}  // namespace groma
