// A new SQLite file that gets its name only when it is complete.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <functional>
#include <string>

#include "common/sqlite/database_kind.hpp"

namespace groma {

/// Makes the tables and has `fill` write their rows, all in one transaction; replaces an existing file.
/// Throws: RunError for errors of SQLite (`fill` may throw SQLite::Exception), SystemError; then `file` is unchanged.
void write_sqlite_file(const std::filesystem::path& file, const DatabaseKind& kind, const std::string& schema,
                       const std::function<void(SQLite::Database&)>& fill);

}  // namespace groma
