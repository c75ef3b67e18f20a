#include "plots/results/calibration.hpp"

#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

constexpr int kOldestCalibration = 2;
constexpr const char* kOrder =
    " ORDER BY (SELECT MIN(other.id) FROM points AS other WHERE other.kind = 'sweep' AND other.distribution = "
    "points.distribution AND other.size_bytes = points.size_bytes AND other.logging = points.logging), rate_pps, "
    "repetition";

/// The present name of a column.
std::string figure_of(const std::string& column) {
    return column == "packets" ? "sent_packets" : column;  // of version 2; all others that are drawn have kept theirs
}

CalibrationSeries series_at(const SQLite::Statement& row, int first) {
    return {plain_text(row.getColumn(first).getString()), row.getColumn(first + 1).getInt64(),
            plain_text(row.getColumn(first + 2).getString())};
}

std::vector<CalibrationPoint> read_points(const SQLite::Database& database) {
    SQLite::Statement row(database,
                          "SELECT distribution, size_bytes, logging, rate_pps, * FROM points WHERE kind = 'sweep' AND "
                          "rate_pps > 0" +
                              std::string(kOrder));
    std::vector<CalibrationPoint> points;
    std::map<std::string, std::vector<double>> values;
    const auto complete = [&] {
        for (const auto& [figure, some] : values) {
            points.back().figures[figure] = median_range_of(some);
        }
        values.clear();
    };
    while (row.executeStep()) {
        const CalibrationSeries series = series_at(row, 0);
        const double rate = number_at(row, 3).value_or(0);
        if (not(rate > 0)) {
            continue;
        }
        if (points.empty() or points.back().series != series or points.back().rate_pps != rate) {
            complete();
            points.push_back({series, rate, {}});
        }
        for (int column = 4; column < row.getColumnCount(); ++column) {
            if (const auto value = number_at(row, column); value and not row.getColumn(column).isText()) {
                values[figure_of(row.getColumn(column).getName())].push_back(*value);
            }
        }
    }
    complete();
    return points;
}

GapDensity read_density(const SQLite::Database& database, std::int64_t point) {
    GapDensity density;
    SQLite::Statement row(database,
                          "SELECT low_ns, high_ns, count, asked_share FROM gaps WHERE point = ? ORDER BY low_ns");
    row.bind(1, point);
    while (row.executeStep()) {
        const double count = number_at(row, 2).value_or(0);
        const auto low = number_at(row, 0);
        const auto high = number_at(row, 1);
        density.gaps += count;
        if (low and high and *high > *low) {
            density.bins.push_back({*low, *high, count, number_at(row, 3).value_or(0)});
        }
    }
    return density;
}

std::vector<GapDensity> read_densities(const SQLite::Database& database) {
    SQLite::Statement row(database,
                          "SELECT id, distribution, size_bytes, logging, rate_pps FROM points WHERE id IN (SELECT "
                          "DISTINCT point FROM gaps)" +
                              std::string(kOrder));
    std::vector<GapDensity> all;
    while (row.executeStep()) {
        GapDensity density = read_density(database, row.getColumn(0).getInt64());
        density.series = series_at(row, 1);
        density.rate_pps = number_at(row, 4).value_or(0);
        if (density.gaps > 0 and not density.bins.empty()) {
            all.push_back(std::move(density));
        }
    }
    return all;
}

std::string host(const SQLite::Database& database, const char* subject) {
    SQLite::Statement row(database, "SELECT value FROM about WHERE subject = ? AND name = 'host'");
    row.bind(1, subject);
    return row.executeStep() ? plain_text(row.getColumn(0).getString(), 40) : std::string(subject);
}

}  // namespace

bool is_calibration(const std::filesystem::path& file) noexcept {
    return is_of_kind(file, kCalibrationDatabase);
}

CalibrationResults read_calibration_results(const std::filesystem::path& file) {
    return read_database(file, kCalibrationDatabase, kOldestCalibration, [](const SQLite::Database& database) {
        CalibrationResults results;
        results.title = host(database, "sender") + " to " + host(database, "receiver");
        results.points = read_points(database);
        results.densities = read_densities(database);
        return results;
    });
}

}  // namespace groma
