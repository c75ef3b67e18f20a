#include <SQLiteCpp/SQLiteCpp.h>

#include "common/sqlite/figure_rows.hpp"
#include "decoder/files/sqlite_file.hpp"
#include "decoder/repetitions/repetition_report.hpp"

namespace groma {

namespace {

// docs/guide/batch.md: a contract with readers of such files.
constexpr const char* kSchema = R"sql(
CREATE TABLE about(name TEXT, confidence REAL, program TEXT);
CREATE TABLE keys(position INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE groups(id INTEGER PRIMARY KEY, name TEXT, runs INTEGER);
CREATE TABLE group_keys("group" INTEGER, key TEXT, value TEXT, number REAL);
CREATE TABLE group_figures("group" INTEGER, figure TEXT, count INTEGER, mean REAL, sd REAL, mean_low REAL, mean_high REAL,
    median REAL, median_low REAL, median_high REAL, median_coverage REAL, of_sums REAL, min REAL, max REAL);
CREATE TABLE group_values("group" INTEGER, figure TEXT, value REAL);
CREATE TABLE group_runs("group" INTEGER, run TEXT);
CREATE TABLE left_out(run TEXT, reason TEXT);
CREATE INDEX group_values_by_figure ON group_values("group", figure);
)sql";

class TableWriter {
public:
    explicit TableWriter(SQLite::Database& database) : database_(database) {}

    void write(const RepetitionSummary& summary) {
        TableRows about(database_, "about", {"name", "confidence", "program"});
        about.add(summary.title, summary.options.confidence, std::string("groma-dec " GROMA_VERSION));
        TableRows keys(database_, "keys", {"position", "name"});
        std::uint32_t position = 0;
        for (const std::string& key : summary.keys) {
            keys.add(++position, key);
        }
        std::int64_t id = 0;
        for (const RepetitionGroup& group : summary.groups) {
            write_group(++id, summary, group);
        }
        TableRows left_out(database_, "left_out", {"run", "reason"});
        for (const LeftOutRun& run : summary.left_out) {
            left_out.add(run.name, run.reason);
        }
    }

private:
    void write_group(std::int64_t id, const RepetitionSummary& summary, const RepetitionGroup& group) {
        TableRows groups(database_, "groups", {"id", "name", "runs"});
        groups.add(id, group_name(summary, group), group.runs.size());
        TableRows keys(database_, "group_keys", {"group", "key", "value", "number"});
        for (std::size_t i = 0; i < summary.keys.size(); ++i) {
            keys.add(id, summary.keys[i], group.values[i], key_number(group.values[i]));
        }
        TableRows runs(database_, "group_runs", {"group", "run"});
        for (const std::string& run : group.runs) {
            runs.add(id, run);
        }
        write_figures(id, group);
    }

    void write_figures(std::int64_t id, const RepetitionGroup& group) {
        TableRows figures(database_, "group_figures",
                          {"group", "figure", "count", "mean", "sd", "mean_low", "mean_high", "median", "median_low",
                           "median_high", "median_coverage", "of_sums", "min", "max"});
        TableRows values(database_, "group_values", {"group", "figure", "value"});
        for (const GroupFigure& figure : group.figures) {
            const auto of = [](const auto& known, const auto& value) {
                return known ? std::optional<double>(value(*known)) : std::nullopt;
            };
            const auto& mean = figure.mean_interval;
            const auto& median = figure.median_interval;
            figures.add(id, figure.figure.name, figure.values.size(), figure.mean, figure.deviation,
                        of(mean, [](const Interval& it) { return it.low; }),
                        of(mean, [](const Interval& it) { return it.high; }), figure.median,
                        of(median, [](const MedianInterval& it) { return it.interval.low; }),
                        of(median, [](const MedianInterval& it) { return it.interval.high; }),
                        of(median, [](const MedianInterval& it) { return it.coverage; }), figure.of_sums, figure.least,
                        figure.most);
            for (const double value : figure.values) {
                values.add(id, figure.figure.name, value);
            }
        }
    }

    SQLite::Database& database_;
};

}  // namespace

void write_repetition_tables(const RepetitionSummary& summary, const std::filesystem::path& file) {
    write_sqlite_file(file, kRepetitionsDatabase, kSchema,
                      [&summary](SQLite::Database& database) { TableWriter(database).write(summary); });
}

}  // namespace groma
