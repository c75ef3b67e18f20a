// Flows together in a results file: all of a run, and groups of them (docs/reference/sqlite-schema.md).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>

#include "decoder/results.hpp"

namespace groma {

/// Fills the tables "groups" and "group_flows". Throws: SQLite::Exception.
void write_groups(SQLite::Database& database, std::int64_t run, const RunResult& result);

}  // namespace groma
