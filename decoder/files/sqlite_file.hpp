// A new SQLite file that gets its name only when it is whole.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <functional>
#include <string>

#include "common/sqlite/database_kind.hpp"

namespace groma {

/// Makes the tables and has `fill` write their rows, all in one transaction; a file that is there is replaced.
/// Throws: RunError for what SQLite says (`fill` may throw SQLite::Exception), SystemError; `file` is then as it was.
void write_sqlite_file(const std::filesystem::path& file, const DatabaseKind& kind, const std::string& schema,
                       const std::function<void(SQLite::Database&)>& fill);

}  // namespace groma
