// Values and rows that several tables of a results file share (docs/reference/sqlite-schema.md).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "decoder/results.hpp"
#include "decoder/spread.hpp"
#include "decoder/sqlite_inserter.hpp"

namespace groma {

/// Least, mean, deviation, four percentiles, most: eight columns, NULL when there is no value.
void put(Inserter& row, const Spread& spread);

/// Rows of "measured_times" of one run. Throws: SQLite::Exception.
class MeasuredTimesWriter {
public:
    MeasuredTimesWriter(SQLite::Database& database, std::int64_t run)
        : run_(run), rows_(database, "measured_times", 13) {}

    /// No row when nothing was measured.
    void write(const FlowResult& flow, std::string_view kind, const Spread& spread);

private:
    std::int64_t run_;
    Inserter rows_;
};

/// Rows of "histograms" of one run. Throws: SQLite::Exception.
class HistogramWriter {
public:
    HistogramWriter(SQLite::Database& database, std::int64_t run) : run_(run), rows_(database, "histograms", 7) {}

    /// A row a bin.
    void write(const FlowResult& flow, std::string_view kind, const Spread& spread);

private:
    std::int64_t run_;
    Inserter rows_;
};

}  // namespace groma
