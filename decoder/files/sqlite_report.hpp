// The results as an SQLite file (docs/reference/sqlite-schema.md), for groma-plot, R, pandas and the sqlite3 shell.
#pragma once

#include <filesystem>

#include "decoder/results/results.hpp"

namespace groma {

/// Writes a new file; an existing one is replaced. It gets its name only when it is complete.
/// Throws: RunError or SystemError; then `file` is unchanged.
void write_sqlite_report(const Results& results, const std::filesystem::path& file);

}  // namespace groma
