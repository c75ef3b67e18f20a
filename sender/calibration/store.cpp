#include "sender/calibration/store.hpp"

#include <stdexcept>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"
#include "sender/calibration/schema.hpp"

namespace groma {

namespace {

constexpr int kNamingColumns = 14;  // of `points` before the figures, without its id

std::string_view to_string(PointKind kind) {
    return kind == PointKind::sweep ? "sweep" : "search";
}

/// "?, ?, ..." so many times.
std::string places(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += i == 0 ? "?" : ", ?";
    }
    return text;
}

std::string figure_names() {
    std::string names;
    for (const FigureColumn& column : figure_columns()) {
        names.append(names.empty() ? "" : ", ").append(column.name);
    }
    return names;
}

/// From the first column behind `first`.
void bind_point(SQLite::Statement& statement, const Point& point, int first) {
    statement.bind(first, std::string(to_string(point.kind)));
    statement.bind(first + 1, std::string(to_string(point.series.distribution)));
    statement.bind(first + 2, static_cast<std::int64_t>(point.series.size_bytes));
    statement.bind(first + 3, std::string(to_string(point.series.logging)));
    statement.bind(first + 4, point.rate_pps);
    statement.bind(first + 5, static_cast<std::int64_t>(point.repetition));
}

/// Of a point: a minute or so.
Nanos time_taken(std::int64_t ns) {
    constexpr Nanos kLongest = std::chrono::hours(24);
    if (ns < 0 or ns > kLongest.count()) {
        throw RunError("no point takes " + std::to_string(ns) + " ns");
    }
    return Nanos(ns);
}

PointFigures read_figures(const SQLite::Statement& row, int first) {
    PointFigures figures;
    for (const FigureColumn& column : figure_columns()) {
        const SQLite::Column cell = row.getColumn(first++);
        if (not cell.isNull()) {
            figures.*column.figure = cell.getDouble();
        }
    }
    return figures;
}

Point read_point(const SQLite::Statement& row, int first) {
    return {
        .kind = row.getColumn(first).getString() == to_string(PointKind::sweep) ? PointKind::sweep : PointKind::search,
        .series = {parse_gap_family(row.getColumn(first + 1).getString()),
                   static_cast<std::uint32_t>(row.getColumn(first + 2).getInt64()),
                   parse_logging_way(row.getColumn(first + 3).getString())},
        .rate_pps = row.getColumn(first + 4).getDouble(),
        .repetition = static_cast<unsigned>(row.getColumn(first + 5).getInt64())};
}

void prepare(SQLite::Database& database) {
    database.setBusyTimeout(kSqliteBusyMs);
    if (database.execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt() == 0) {
        SQLite::Transaction transaction(database);
        mark_database(database, kCalibrationDatabase);
        database.exec(calibration_schema());
        transaction.commit();
        return;
    }
    expect_kind(database, "it", kCalibrationDatabase, kCalibrationDatabase.version);
}

void insert_gaps(SQLite::Database& database, std::int64_t point, const std::vector<GapBin>& gaps) {
    SQLite::Statement row(database, "INSERT INTO gaps VALUES(?, ?, ?, ?, ?)");
    for (const GapBin& bin : gaps) {
        row.bind(1, point);
        row.bind(2, bin.low_ns);
        if (bin.high_ns) {
            row.bind(3, *bin.high_ns);
        }
        row.bind(4, static_cast<std::int64_t>(bin.count));
        row.bind(5, bin.asked_share);
        row.exec();
        row.reset();
        row.clearBindings();
    }
}

void insert_point(SQLite::Database& database, const PointResult& result) {
    SQLite::Statement row(database,
                          "INSERT INTO points VALUES(NULL, " + places(kNamingColumns + figure_columns().size()) + ")");
    bind_point(row, result.point, 1);
    row.bind(7, result.run_id);
    row.bind(8, ns_since_epoch(result.started_at));
    row.bind(9, static_cast<std::int64_t>(result.took.count()));
    row.bind(10, result.idt);
    row.bind(11, result.verdict);
    row.bind(12, result.explanation);
    row.bind(13, result.failures);
    row.bind(14, result.remarks);
    int column = kNamingColumns;
    for (const FigureColumn& figure : figure_columns()) {
        ++column;
        if (const Figure& value = result.figures.*figure.figure) {
            row.bind(column, *value);
        }
    }
    row.exec();
}

}  // namespace

template <typename Work>
auto CalibrationStore::in_words(const char* what, Work work) const {
    try {
        return work();
    } catch (const std::runtime_error& error) {  // of SQLite, or ours; what is in the file can be in the message
        throw RunError("cannot " + std::string(what) + " " + file_.string() + ": " + plain_text(error.what(), 600));
    }
}

CalibrationStore::CalibrationStore(std::filesystem::path file) : file_(std::move(file)) {
    in_words("open the calibration", [&] {
        database_.emplace(file_.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        prepare(*database_);
    });
}

Facts CalibrationStore::facts(const std::string& subject) const {
    return in_words("read the calibration", [&] {
        Facts facts;
        SQLite::Statement rows(*database_, "SELECT name, value FROM about WHERE subject = ?");
        rows.bind(1, subject);
        while (rows.executeStep()) {
            facts[rows.getColumn(0).getString()] = rows.getColumn(1).getString();
        }
        return facts;
    });
}

void CalibrationStore::keep_facts(const std::string& subject, const Facts& facts) {
    in_words("write the calibration", [&] {
        SQLite::Transaction transaction(*database_);
        SQLite::Statement remove(*database_, "DELETE FROM about WHERE subject = ?");
        remove.bind(1, subject);
        remove.exec();
        SQLite::Statement row(*database_, "INSERT INTO about VALUES(?, ?, ?)");
        for (const auto& [name, value] : facts) {
            row.bind(1, subject);
            row.bind(2, name);
            row.bind(3, value);
            row.exec();
            row.reset();
        }
        transaction.commit();
    });
}

std::optional<PointFigures> CalibrationStore::figures(const Point& point) const {
    return in_words("read the calibration", [&]() -> std::optional<PointFigures> {
        SQLite::Statement row(*database_, "SELECT " + figure_names() +
                                              " FROM points WHERE kind = ? AND distribution = ? AND size_bytes = ? "
                                              "AND logging = ? AND rate_pps = ? AND repetition = ?");
        bind_point(row, point, 1);
        return row.executeStep() ? std::optional(read_figures(row, 0)) : std::nullopt;
    });
}

void CalibrationStore::add(const PointResult& result) {
    in_words("write the calibration", [&] {
        SQLite::Transaction transaction(*database_);
        insert_point(*database_, result);
        insert_gaps(*database_, database_->getLastInsertRowid(), result.gaps);
        transaction.commit();
    });
}

std::vector<PointResult> CalibrationStore::results() const {
    return in_words("read the calibration", [&] {
        std::vector<PointResult> all;
        SQLite::Statement row(*database_,
                              "SELECT kind, distribution, size_bytes, logging, rate_pps, repetition, run_id, "
                              "started_ns, took_ns, idt, verdict, explanation, failures, remarks, " +
                                  figure_names() + " FROM points ORDER BY id");
        while (row.executeStep()) {
            PointResult& result = all.emplace_back();
            result.point = read_point(row, 0);
            result.run_id = row.getColumn(6).getString();
            result.started_at = wall_time_from_ns(row.getColumn(7).getInt64());
            result.took = time_taken(row.getColumn(8).getInt64());
            result.idt = row.getColumn(9).getString();
            result.verdict = row.getColumn(10).getString();
            result.explanation = row.getColumn(11).getString();
            result.failures = row.getColumn(12).getString();
            result.remarks = row.getColumn(13).getString();
            result.figures = read_figures(row, kNamingColumns);
        }
        return all;
    });
}

void CalibrationStore::keep_limits(const std::vector<Limit>& limits) {
    in_words("write the calibration", [&] {
        SQLite::Transaction transaction(*database_);
        database_->exec("DELETE FROM limits");
        SQLite::Statement row(*database_, "INSERT INTO limits VALUES(?, ?, ?, ?, ?, ?)");
        for (const Limit& limit : limits) {
            row.bind(1, std::string(to_string(limit.search.series.distribution)));
            row.bind(2, static_cast<std::int64_t>(limit.search.series.size_bytes));
            row.bind(3, std::string(to_string(limit.search.series.logging)));
            row.bind(4, limit.search.tolerance);
            if (limit.kept_pps) {
                row.bind(5, *limit.kept_pps);
            }
            if (limit.not_kept_pps) {
                row.bind(6, *limit.not_kept_pps);
            }
            row.exec();
            row.reset();
            row.clearBindings();
        }
        transaction.commit();
    });
}

}  // namespace groma
