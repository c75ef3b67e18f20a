#include "common/sqlite/database_kind.hpp"

#include <cmath>
#include <exception>

namespace groma {

void distrust(SQLite::Database& database) {
    database.exec("PRAGMA trusted_schema = OFF");
    database.exec("PRAGMA cell_size_check = ON");
}

SQLite::Database open_to_read(const std::filesystem::path& file) {
    SQLite::Database database(file.string(), SQLite::OPEN_READONLY, kSqliteBusyMs);
    distrust(database);
    return database;
}

void mark_database(SQLite::Database& database, const DatabaseKind& kind) {
    database.exec("PRAGMA application_id = " + std::to_string(kind.application_id));
    database.exec("PRAGMA user_version = " + std::to_string(kind.version));
}

bool is_of_kind(SQLite::Database& database, const DatabaseKind& kind) {
    return database.execAndGet("PRAGMA application_id").getInt() == kind.application_id;
}

bool is_of_kind(const std::filesystem::path& file, const DatabaseKind& kind) noexcept {
    try {
        SQLite::Database database = open_to_read(file);
        return is_of_kind(database, kind);
    } catch (const std::exception&) {
        return false;
    }
}

void expect_kind(SQLite::Database& database, const std::string& called, const DatabaseKind& kind, int oldest) {
    if (not is_of_kind(database, kind)) {
        throw RunError(called + " is not " + kind.what);
    }
    if (const int version = database.execAndGet("PRAGMA user_version").getInt();
        version < oldest or version > kind.version) {
        throw RunError(called + " is " + kind.what + " of another version (" + std::to_string(version) +
                       "): " + kind.advice);
    }
}

std::optional<double> number_at(const SQLite::Statement& row, int column) {
    const SQLite::Column cell = row.getColumn(column);
    if (cell.isNull() or not std::isfinite(cell.getDouble())) {
        return std::nullopt;
    }
    return cell.getDouble();
}

std::string text_at(const SQLite::Statement& row, int column) {
    const SQLite::Column cell = row.getColumn(column);
    return cell.isNull() ? std::string() : cell.getString();
}

}  // namespace groma
