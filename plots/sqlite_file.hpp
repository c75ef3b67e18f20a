// Reading the SQLite files of other programs: which kind they are, and cells that may hold anything.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <optional>
#include <string>

namespace groma {

/// PRAGMA application_id; 0 for whatever cannot be read.
[[nodiscard]] int application_id_of(const std::filesystem::path& file) noexcept;

/// Nothing for NULL and what is not finite.
[[nodiscard]] std::optional<double> number_at(const SQLite::Statement& row, int column);

/// Empty for NULL.
[[nodiscard]] std::string text_at(const SQLite::Statement& row, int column);

}  // namespace groma
