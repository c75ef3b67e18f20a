// The tables of a results file about what only some runs have (docs/reference/sqlite-schema.md).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <vector>

#include "decoder/results.hpp"

namespace groma {

/// `run` is its number in the file. Throws: SQLite::Exception.
void write_measured(SQLite::Database& database, std::int64_t run, const std::vector<FlowResult>& flows);

}  // namespace groma
