#include "decoder/repetitions/repetition_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "common/base/errors.hpp"
#include "common/sqlite/database_kind.hpp"
#include "decoder/repetitions/repetition_cells.hpp"
#include "decoder/repetitions/stored_batch.hpp"

namespace groma {

namespace {

constexpr int kOldestResults = 2;

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

/// Of several flows: from their means and their histograms together, when all their delays are absolute.
void add_delays(const SQLite::Database& database, RepeatedRun& run, std::int64_t number) {
    SQLite::Statement means(
        database,
        "SELECT SUM(f.delay_mean_ns * h.n) / SUM(h.n), MIN(f.delay_min_ns), MAX(f.delay_max_ns), SUM(h.n) FROM flows "
        "AS f "
        "JOIN (SELECT flow, receiver, SUM(count) AS n FROM histograms WHERE run = ?1 AND kind = 'delay' GROUP BY flow, "
        "receiver) AS h ON h.flow = f.flow AND h.receiver = f.receiver WHERE f.run = ?1 AND NOT EXISTS (SELECT 1 FROM "
        "clocks WHERE run = ?1 AND state NOT IN ('one clock', 'probed'))");
    means.bind(1, number);
    if (not means.executeStep() or means.getColumn(3).isNull()) {
        return;
    }
    add_figure(run, "delay_mean_ns", means.getColumn(0));
    add_figure(run, "delay_max_ns", means.getColumn(2));
    const double least = means.getColumn(1).getDouble();
    const double most = means.getColumn(2).getDouble();
    const double count = means.getColumn(3).getDouble();
    SQLite::Statement bins(
        database,
        "SELECT low, high, SUM(count) FROM histograms WHERE run = ? AND kind = 'delay' GROUP BY low, "
        "high ORDER BY low");
    bins.bind(1, number);
    double passed = 0;
    while (bins.executeStep()) {
        const double before = passed;
        passed += bins.getColumn(2).getDouble();
        const double middle =
            std::clamp((bins.getColumn(0).getDouble() + bins.getColumn(1).getDouble()) / 2, least, most);
        for (const auto& [name, share] : {std::pair{"delay_p50_ns", 0.5}, std::pair{"delay_p99_ns", 0.99}}) {
            const double rank = std::ceil(share * count);
            if (before < rank and passed >= rank) {
                run.figures[name] = rank >= count ? most : middle;
            }
        }
    }
}

void add_figures(const SQLite::Database& database, RepeatedRun& run, std::int64_t number, std::int64_t rows) {
    add_row(database, "SELECT sent_packets, received_packets, lost, duplicates, reordered FROM totals WHERE run = ?",
            run, number);
    if (rows == 1) {
        add_row(
            database,
            "SELECT throughput_bps, jitter_ditg_ns, scheduled_pps, sent_pps, lateness_p99_ns FROM flows WHERE run = ?",
            run, number);
        add_row(
            database,
            "SELECT delay_mean_ns, delay_p50_ns, delay_p99_ns, delay_max_ns FROM flows WHERE run = ?1 AND NOT EXISTS "
            "(SELECT 1 FROM clocks WHERE run = ?1 AND state NOT IN ('one clock', 'probed'))",
            run, number);
        add_row(database, "SELECT rate_error, lambda2 FROM fidelity WHERE run = ? AND flow IS NOT NULL", run, number);
    } else {
        add_delays(database, run, number);
    }
    add_row(
        database,
        "SELECT scheduled_pps, sent_pps, rate_error, lateness_p99_ns, lambda2 FROM fidelity WHERE run = ? AND flow IS "
        "NULL",
        run, number);
    add_loss_ratio(run);
}

void add_runs(const SQLite::Database& database, const std::string& file, Repetitions& found) {
    SQLite::Statement row(database,
                          "SELECT id, experiment, (SELECT COUNT(*) FROM runs), (SELECT COUNT(*) FROM flows WHERE run = "
                          "runs.id) FROM runs ORDER BY id");
    std::size_t number = 0;
    while (row.executeStep()) {
        RepeatedRun run;
        ++number;
        run.name = row.getColumn(2).getInt64() > 1 ? fmt::format("{} run {}", file, number) : file;
        run.values = {plain_text_at(row, 1)};
        run.left_out = error_of(database, row.getColumn(0).getInt64());
        add_figures(database, run, row.getColumn(0).getInt64(), row.getColumn(3).getInt64());
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
