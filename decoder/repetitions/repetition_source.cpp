#include "decoder/repetitions/repetition_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "common/base/errors.hpp"
#include "common/sqlite/database_kind.hpp"
#include "decoder/repetitions/repetition_cells.hpp"
#include "decoder/repetitions/stored_batch.hpp"

namespace groma {

namespace {

constexpr int kOldestResults = 3;  ///< the first whose groups have the total

/// Why a run does not count; empty: it does.
std::string error_of(const SQLite::Database& database, std::int64_t run) {
    SQLite::Statement gap(database, "SELECT log, reason FROM log_gaps WHERE run = ? LIMIT 1");
    gap.bind(1, run);
    if (gap.executeStep()) {
        return fmt::format("its log {} is damaged: {}", plain_text_at(gap, 0), plain_text_at(gap, 1));
    }
    SQLite::Statement log(database,
                          "SELECT log, end FROM logs WHERE run = ? AND (end IS NULL OR end != 'complete') LIMIT 1");
    log.bind(1, run);
    if (not log.executeStep()) {
        return {};
    }
    return log.getColumn(1).isNull()
               ? fmt::format("its log {} was cut short", plain_text_at(log, 0))
               : fmt::format("its log {} ended: {}", plain_text_at(log, 0), plain_text_at(log, 1));
}

/// The first row's columns by the figures' names, as the query gives them.
void add_row(const SQLite::Database& database, const char* query, RepeatedRun& run, std::int64_t number) {
    SQLite::Statement row(database, query);
    row.bind(1, number);
    if (not row.executeStep()) {
        return;
    }
    for (int i = 0; i < row.getColumnCount(); ++i) {
        add_figure(run, row.getColumnName(i), row.getColumn(i));
    }
}

/// Of all flows together, as groma-dec reports them.
void add_figures(const SQLite::Database& database, RepeatedRun& run, std::int64_t number) {
    add_row(database,
            "SELECT sent_packets, due_packets, received_packets, lost, duplicates, reordered, throughput_bps, "
            "delay_mean_ns, delay_p50_ns, delay_p99_ns, delay_max_ns, jitter_ditg_ns, scheduled_pps, sent_pps, "
            "rate_error, lateness_p99_ns FROM groups WHERE run = ? AND group_number = 0",
            run, number);
    add_row(database, "SELECT lambda2 FROM fidelity WHERE run = ? AND flow IS NULL", run, number);
    add_loss_ratio(run);
}

void add_runs(const SQLite::Database& database, const std::string& file, Repetitions& found) {
    SQLite::Statement row(database, "SELECT id, experiment, (SELECT COUNT(*) FROM runs) FROM runs ORDER BY id");
    std::size_t number = 0;
    while (row.executeStep()) {
        RepeatedRun run;
        ++number;
        run.name = row.getColumn(2).getInt64() > 1 ? fmt::format("{} run {}", file, number) : file;
        run.values = {plain_text_at(row, 1)};
        run.left_out = error_of(database, row.getColumn(0).getInt64());
        add_figures(database, run, row.getColumn(0).getInt64());
        found.runs.push_back(std::move(run));
    }
}

}  // namespace

Repetitions read_results_files(const std::vector<std::string>& files) {
    Repetitions found;
    found.keys = {"experiment"};
    for (const std::string& file : files) {
        read_database(file, kResultsDatabase, kOldestResults,
                      [&](const SQLite::Database& database) { add_runs(database, file, found); });
    }
    return found;
}

Repetitions read_repetitions(const std::vector<std::string>& arguments) {
    std::filesystem::path first = arguments.front();
    if (std::filesystem::is_directory(first)) {
        first /= "batch.sqlite";
    }
    for (const std::string& argument : arguments) {
        const bool folder = std::filesystem::is_directory(argument);
        if (not std::filesystem::exists(folder ? first : std::filesystem::path(argument))) {
            throw UsageError("cannot read " + (folder ? first.string() : argument) +
                             ": there is no such file; give the folder of a batch, or results of groma-dec --sqlite");
        }
    }
    if (not is_of_kind(first, kBatchDatabase)) {
        return read_results_files(arguments);
    }
    if (arguments.size() > 1) {
        throw UsageError("give one batch at a time: " + arguments[0] + " is one, and " + arguments[1] +
                         " would be another");
    }
    return read_batch_table(first);
}

}  // namespace groma
