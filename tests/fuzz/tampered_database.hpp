// Tampered SQLite files, for the fuzz targets of their readers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/sqlite/database_kind.hpp"
#include "tests/fuzz/choices.hpp"

namespace groma {

using DatabaseBytes = std::vector<std::byte>;

/// A literal of SQL for a column in the row of this number; empty: any number is possible.
using UsualValue = std::function<std::string(std::string_view column, int row)>;

/// A file with some rows in each table of the schema.
[[nodiscard]] DatabaseBytes sample_database(const std::string& schema, const DatabaseKind& kind,
                                            const UsualValue& usual_value);

/// A file that one of our programs has made and closed.
[[nodiscard]] DatabaseBytes base_of(const std::filesystem::path& file);

/// Writes `base` to the file, changed as the choices say: rows that are added, changed and removed, with values of any
/// type and size, against the schema; tables that are dropped, or lose their types and constraints; another version;
/// and bytes of the file. A statement that SQLite refuses has no effect; without further choices there are no further
/// changes.
void tampered(const DatabaseBytes& base, Choices choices, const std::filesystem::path& file);

}  // namespace groma
