// The instrument's own error in a results file, and what was required of it (docs/sqlite-schema.md).
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>

#include "decoder/results.hpp"

namespace groma {

/// Fills the tables "fidelity" and "requirements". Throws: SQLite::Exception.
void write_fidelity(SQLite::Database& database, std::int64_t run, const RunResult& result);

}  // namespace groma
