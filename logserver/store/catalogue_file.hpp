// The file of a log server's catalogue and those that SQLite keeps beside it: their names, who may read them, and how
// the database is opened.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

namespace SQLite {
class Database;
}

namespace groma {

inline constexpr std::string_view kCatalogueFile = "catalogue.sqlite";

/// Whether a file of this name in a log server's directory may be the catalogue's: SQLite keeps its journal and more in
/// files whose names begin with the catalogue's. Case does not tell, since some file systems ignore it.
[[nodiscard]] bool is_name_of_catalogue(std::string_view name);

/// Earlier versions of groma-log accepted experiments with such names. Throws: RunError if a folder is where SQLite has
/// to put a file.
void require_room_for_companions(const std::filesystem::path& file);

/// The catalogue holds the logs' tokens. SQLite's companion files inherit its mode. Makes the file if there is none,
/// and takes it from other users. Throws: SystemError.
void keep_from_others(const std::filesystem::path& file);

/// To write, makes the tables of a new file. Throws: RunError, SQLite::Exception.
[[nodiscard]] std::unique_ptr<SQLite::Database> open_catalogue_file(const std::filesystem::path& file, bool writes);

}  // namespace groma
