#include "sender/calibration/schema.hpp"

#include "sender/calibration/point_result.hpp"

namespace groma {

std::string calibration_schema() {
    std::string points =
        "CREATE TABLE points(id INTEGER PRIMARY KEY, kind TEXT, distribution TEXT, size_bytes INTEGER, logging TEXT, "
        "rate_pps REAL, repetition INTEGER, run_id TEXT, started_ns INTEGER, took_ns INTEGER, idt TEXT, verdict TEXT, "
        "explanation TEXT, failures TEXT, remarks TEXT";
    for (const FigureColumn& column : figure_columns()) {
        points.append(", ").append(column.name).append(column.whole ? " INTEGER" : " REAL");
    }
    points.append(", UNIQUE(kind, distribution, size_bytes, logging, rate_pps, repetition));");
    return points +
           "CREATE TABLE about(subject TEXT, name TEXT, value TEXT, PRIMARY KEY(subject, name));"
           "CREATE TABLE gaps(point INTEGER, low_ns REAL, high_ns REAL, count INTEGER, asked_share REAL);"
           "CREATE INDEX gaps_by_point ON gaps(point, low_ns);"
           "CREATE TABLE limits(distribution TEXT, size_bytes INTEGER, logging TEXT, tolerance REAL, kept_pps REAL, "
           "not_kept_pps REAL, PRIMARY KEY(distribution, size_bytes, logging, tolerance));";
}

}  // namespace groma
