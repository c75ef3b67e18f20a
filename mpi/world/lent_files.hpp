// The files of a run on a rank's disk that rank 0 does not share: a list, and reads in pieces. Names from other ranks
// are checked before they become paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/json/json_record.hpp"

namespace groma {

struct LentFile {
    std::string name;  ///< relative to the run's folder: "logs/sender-alpha.glog"
    std::uint64_t size = 0;
    bool operator==(const LentFile&) const = default;
};

/// JSON.
template <typename Fields>
void describe(Fields& fields, As<Fields, LentFile>& file);
inline constexpr Most kMostLentFiles{100'000};

/// The largest piece in bytes.
inline constexpr std::size_t kMaxLentPiece = std::size_t{1} << 20U;

/// Complete and partial logs, and a log server's catalogue.
[[nodiscard]] std::vector<LentFile> files_to_lend(const std::filesystem::path& folder);

/// At most kMaxLentPiece bytes; none at the end of the file. Throws: UsageError for a bad name, SystemError.
[[nodiscard]] std::vector<std::uint8_t> read_lent(const std::filesystem::path& folder, const std::string& name,
                                                  std::uint64_t offset);

/// The path for a file of this name. Throws: UsageError if the name is absolute, leaves the folder, or does not fit
/// files_to_lend().
[[nodiscard]] std::filesystem::path lent_path(const std::filesystem::path& folder, const std::string& name);

/// Appends a piece; the first one (offset 0) creates the file. Throws: UsageError, SystemError.
void write_fetched(const std::filesystem::path& folder, const std::string& name, std::uint64_t offset,
                   const std::vector<std::uint8_t>& bytes);

}  // namespace groma
