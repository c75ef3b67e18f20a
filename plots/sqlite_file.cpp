#include "plots/sqlite_file.hpp"

#include <cmath>

namespace groma {

int application_id_of(const std::filesystem::path& file) noexcept {
    try {
        const SQLite::Database database(file.string(), SQLite::OPEN_READONLY);
        SQLite::Statement row(database, "PRAGMA application_id");
        return row.executeStep() ? row.getColumn(0).getInt() : 0;
    } catch (const std::exception&) {
        return 0;
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
