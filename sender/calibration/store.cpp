#include "sender/calibration/store.hpp"

#include <stdexcept>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"
#include "common/sqlite/figure_rows.hpp"
#include "sender/calibration/schema.hpp"

namespace groma {

namespace {

/// "kind = ? AND distribution = ? AND ...".
std::string of_one_point() {
    std::string condition;
    for (const Figure<Point>& key : point_keys()) {
        condition.append(condition.empty() ? "" : " AND ").append(key.name).append(" = ?");
    }
    return condition;
}

/// The time of one point, about a minute.
Nanos time_taken(std::int64_t ns) {
    constexpr Nanos kLongest = std::chrono::hours(24);
    if (ns < 0 or ns > kLongest.count()) {
        throw RunError("no point takes " + std::to_string(ns) + " ns");
    }
    return Nanos(ns);
}

PointFigures read_figures(const SQLite::Statement& row) {
    PointFigures figures;
    for (const FigureHead& head : point_figures()) {
        const SQLite::Column cell = row.getColumn(head.name.c_str());
        if (not cell.isNull()) {
            figures.emplace(head.name, cell.getDouble());
        }
    }
    return figures;
}

Point read_point(const SQLite::Statement& row) {
    return {.kind = row.getColumn("kind").getString() == "sweep" ? PointKind::sweep : PointKind::search,
            .series = {parse_gap_family(row.getColumn("distribution").getString()),
                       static_cast<std::uint32_t>(row.getColumn("size_bytes").getInt64()),
                       parse_logging_way(row.getColumn("logging").getString())},
            .rate_pps = row.getColumn("rate_pps").getDouble(),
            .repetition = static_cast<unsigned>(row.getColumn("repetition").getInt64())};
}

PointResult read_result(const SQLite::Statement& row) {
    const auto text = [&row](const char* column) { return row.getColumn(column).getString(); };
    return {.point = read_point(row),
            .run_id = text("run_id"),
            .started_at = wall_time_from_ns(row.getColumn("started_ns").getInt64()),
            .took = time_taken(row.getColumn("took_ns").getInt64()),
            .idt = text("idt"),
            .verdict = text("verdict"),
            .explanation = text("explanation"),
            .failures = text("failures"),
            .warnings = text("warnings"),
            .figures = read_figures(row)};
}

void prepare(SQLite::Database& database) {
    database.setBusyTimeout(kSqliteBusyMs);
    distrust(database);
    if (database.execAndGet("SELECT COUNT(*) FROM sqlite_master").getInt() == 0) {
        SQLite::Transaction transaction(database);
        mark_database(database, kCalibrationDatabase);
        database.exec(calibration_schema());
        transaction.commit();
        return;
    }
    expect_kind(database, "it", kCalibrationDatabase, kCalibrationDatabase.version);
}

}  // namespace

template <typename Work>
auto CalibrationStore::in_words(const char* what, Work work) const {
    try {
        return work();
    } catch (const std::runtime_error& error) {  // from SQLite or from us; the message can quote the file
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
        TableRows rows(*database_, "about", {"subject", "name", "value"});
        for (const auto& [name, value] : facts) {
            rows.add(subject, name, value);
        }
        transaction.commit();
    });
}

std::optional<PointFigures> CalibrationStore::figures(const Point& point) const {
    return in_words("read the calibration", [&]() -> std::optional<PointFigures> {
        SQLite::Statement row(*database_, "SELECT * FROM points WHERE " + of_one_point());
        int index = 0;
        for (const Figure<Point>& key : point_keys()) {
            bind_figure(row, ++index, key.of(point));
        }
        return row.executeStep() ? std::optional(read_figures(row)) : std::nullopt;
    });
}

void CalibrationStore::add(const PointResult& result) {
    in_words("write the calibration", [&] {
        SQLite::Transaction transaction(*database_);
        FigureRows(*database_, "points", {}, point_columns()).add(result);
        const std::int64_t point = database_->getLastInsertRowid();
        TableRows gaps(*database_, "gaps", {"point", "low_ns", "high_ns", "count", "asked_share"});
        for (const GapBin& bin : result.gaps) {
            gaps.add(point, bin.low_ns, bin.high_ns, bin.count, bin.asked_share);
        }
        transaction.commit();
    });
}

std::vector<PointResult> CalibrationStore::results() const {
    return in_words("read the calibration", [&] {
        std::vector<PointResult> all;
        SQLite::Statement row(*database_, "SELECT * FROM points ORDER BY id");
        while (row.executeStep()) {
            all.push_back(read_result(row));
        }
        return all;
    });
}

void CalibrationStore::keep_limits(const std::vector<Limit>& limits) {
    in_words("write the calibration", [&] {
        SQLite::Transaction transaction(*database_);
        database_->exec("DELETE FROM limits");
        TableRows rows(*database_, "limits",
                       {"distribution", "size_bytes", "logging", "tolerance", "kept_pps", "not_kept_pps"});
        for (const auto& [search, kept_pps, not_kept_pps] : limits) {
            const Series& series = search.series;
            rows.add(to_string(series.distribution), series.size_bytes, to_string(series.logging), search.tolerance,
                     kept_pps, not_kept_pps);
        }
        transaction.commit();
    });
}

}  // namespace groma
