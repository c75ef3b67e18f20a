// Kinds of Groma's SQLite files, and cells of files with arbitrary contents.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <optional>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

/// A file has its kind in PRAGMA application_id, and the version of its tables in PRAGMA user_version.
struct DatabaseKind {
    int application_id;
    int version;         ///< the version that is written
    const char* what;    ///< "a result of groma-dec --sqlite"
    const char* advice;  ///< if the version is another one
};

inline constexpr DatabaseKind kResultsDatabase{0x67726f6d, 5, "a result of groma-dec --sqlite",  // "grom"
                                               "decode the logs again"};
inline constexpr DatabaseKind kFitDatabase{0x67726f66, 1, "a result of groma-dec fit --sqlite",  // "grof"
                                           "make it again"};
inline constexpr DatabaseKind kRepetitionsDatabase{0x67726f67, 2, "a result of groma-dec batch --sqlite",  // "grog"
                                                   "make it again"};
inline constexpr DatabaseKind kCalibrationDatabase{0x67726d63, 7, "a calibration of groma-send --calibrate",  // "grmc"
                                                   "name another folder with --out, or use the release that made it"};
inline constexpr DatabaseKind kBatchDatabase{0x67726f62, 1, "a table of runs of groma-mpi",  // "grob"
                                             "name another folder with --out, or use the release that made it"};
inline constexpr DatabaseKind kCatalogueDatabase{0x67726f6c, 3, "a catalogue of groma-log",  // "grol"
                                                 "choose another --dir, or use the release that made it"};

/// How long a reader waits for a writer.
inline constexpr int kSqliteBusyMs = 5000;

/// Somebody else may have written the file: views, triggers and defaults in it may call no functions that do more than
/// to compute, and its pages are checked as they are read (SQLite, "Defense Against The Dark Arts"). Throws:
/// SQLite::Exception.
void distrust(SQLite::Database& database);
/// To read it. Throws: SQLite::Exception.
[[nodiscard]] SQLite::Database open_to_read(const std::filesystem::path& file);

/// Marks an empty file as one of this kind. Throws: SQLite::Exception.
void mark_database(SQLite::Database& database, const DatabaseKind& kind);

[[nodiscard]] bool is_of_kind(SQLite::Database& database, const DatabaseKind& kind);
/// False for a file that cannot be read.
[[nodiscard]] bool is_of_kind(const std::filesystem::path& file, const DatabaseKind& kind) noexcept;

/// Throws: RunError if the file (named `called` in the message) is of another kind, or its version is not from `oldest`
/// to kind.version.
void expect_kind(SQLite::Database& database, const std::string& called, const DatabaseKind& kind, int oldest);

/// Returns: the result of `read` for a file of this kind. Throws: RunError.
template <typename Read>
auto read_database(const std::filesystem::path& file, const DatabaseKind& kind, int oldest, const Read& read) {
    try {
        SQLite::Database database = open_to_read(file);
        expect_kind(database, file.string(), kind, oldest);
        return read(database);
    } catch (const SQLite::Exception& error) {
        throw RunError("cannot read " + file.string() + " as " + kind.what + ": " + error.what());
    }
}
template <typename Read>
auto read_database(const std::filesystem::path& file, const DatabaseKind& kind, const Read& read) {
    return read_database(file, kind, kind.version, read);
}

/// Empty for NULL and for values that are not finite.
[[nodiscard]] std::optional<double> number_at(const SQLite::Statement& row, int column);

/// Empty for NULL.
[[nodiscard]] std::string text_at(const SQLite::Statement& row, int column);

}  // namespace groma
