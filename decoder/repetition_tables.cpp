#include <SQLiteCpp/SQLiteCpp.h>

#include "decoder/repetition_report.hpp"
#include "decoder/sqlite_file.hpp"
#include "decoder/sqlite_inserter.hpp"

namespace groma {

namespace {

// docs/guide/batch.md: a contract with whoever reads such a file.
constexpr std::uint32_t kApplicationId = 0x67726f67;  // "grog"
constexpr int kVersion = 1;
constexpr const char* kSchema = R"sql(
CREATE TABLE about(name TEXT, confidence REAL, bootstrap TEXT, resamples INTEGER, seed INTEGER, program TEXT);
CREATE TABLE keys(position INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE groups(id INTEGER PRIMARY KEY, name TEXT, runs INTEGER);
CREATE TABLE group_keys("group" INTEGER, key TEXT, value TEXT, number REAL);
CREATE TABLE group_figures("group" INTEGER, figure TEXT, count INTEGER, mean REAL, sd REAL, mean_low REAL, mean_high REAL,
    median REAL, median_low REAL, median_high REAL, min REAL, max REAL);
CREATE TABLE group_values("group" INTEGER, figure TEXT, value REAL);
CREATE TABLE group_runs("group" INTEGER, run TEXT);
CREATE TABLE left_out(run TEXT, reason TEXT);
CREATE INDEX group_values_by_figure ON group_values("group", figure);
)sql";

void put(Inserter& row, const std::optional<Interval>& interval) {
    if (interval) {
        row << interval->low << interval->high;
    } else {
        row.skip(2);
    }
}

class TableWriter {
public:
    explicit TableWriter(SQLite::Database& database) : database_(database) {}

    void write(const RepetitionSummary& summary) {
        const RepetitionOptions& options = summary.options;
        Inserter about(database_, "about", 6);
        about << summary.title << options.confidence << bootstrap_name(options.bootstrap) << options.resamples
              << options.seed << std::string("groma-dec " GROMA_VERSION);
        about.end_row();
        Inserter keys(database_, "keys", 2);
        std::uint32_t position = 0;
        for (const std::string& key : summary.keys) {
            keys << ++position << key;
            keys.end_row();
        }
        std::int64_t id = 0;
        for (const RepetitionGroup& group : summary.groups) {
            write_group(++id, summary, group);
        }
        Inserter left_out(database_, "left_out", 2);
        for (const LeftOutRun& run : summary.left_out) {
            left_out << run.name << run.reason;
            left_out.end_row();
        }
    }

private:
    void write_group(std::int64_t id, const RepetitionSummary& summary, const RepetitionGroup& group) {
        Inserter groups(database_, "groups", 3);
        groups << id << group_name(summary, group) << static_cast<std::uint64_t>(group.runs.size());
        groups.end_row();
        Inserter keys(database_, "group_keys", 4);
        for (std::size_t i = 0; i < summary.keys.size(); ++i) {
            keys << id << summary.keys[i] << group.values[i] << key_number(group.values[i]);
            keys.end_row();
        }
        Inserter runs(database_, "group_runs", 2);
        for (const std::string& run : group.runs) {
            runs << id << run;
            runs.end_row();
        }
        write_figures(id, group);
    }

    void write_figures(std::int64_t id, const RepetitionGroup& group) {
        Inserter figures(database_, "group_figures", 12);
        Inserter values(database_, "group_values", 3);
        for (const GroupFigure& figure : group.figures) {
            figures << id << figure.figure.name << static_cast<std::uint64_t>(figure.values.size()) << figure.mean
                    << figure.deviation;
            put(figures, figure.mean_interval);
            figures << figure.median;
            put(figures, figure.median_interval);
            figures << figure.least << figure.most;
            figures.end_row();
            for (const double value : figure.values) {
                values << id << figure.figure.name << value;
                values.end_row();
            }
        }
    }

    SQLite::Database& database_;
};

}  // namespace

void write_repetition_tables(const RepetitionSummary& summary, const std::filesystem::path& file) {
    write_sqlite_file(file, {kApplicationId, kVersion, kSchema},
                      [&summary](SQLite::Database& database) { TableWriter(database).write(summary); });
}

}  // namespace groma
