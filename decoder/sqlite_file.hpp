// A new SQLite file that gets its name only when it is whole.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace groma {

/// By which a reader knows what is in a file, and its tables.
struct SqliteKind {
    std::uint32_t application_id = 0;
    int version = 0;
    std::string schema{};
};

/// Makes the tables and has `fill` write their rows, all in one transaction; a file that is there is replaced.
/// Throws: RunError for what SQLite says (`fill` may throw SQLite::Exception), SystemError; `file` is then as it was.
void write_sqlite_file(const std::filesystem::path& file, const SqliteKind& kind,
                       const std::function<void(SQLite::Database&)>& fill);

}  // namespace groma
