// The files of a run that a rank has on its own disk and rank 0 does not see: what there is, and pieces of it. Names
// from other ranks are checked before they become paths.
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

/// Bytes of a piece at most.
inline constexpr std::size_t kMaxLentPiece = std::size_t{1} << 20U;

/// Logs, whole and in part, and a log server's catalogue.
[[nodiscard]] std::vector<LentFile> files_to_lend(const std::filesystem::path& folder);

/// At most kMaxLentPiece bytes; none at the end of the file. Throws: UsageError for a bad name, SystemError.
[[nodiscard]] std::vector<std::uint8_t> read_lent(const std::filesystem::path& folder, const std::string& name,
                                                  std::uint64_t offset);

/// Where a file of this name belongs. Throws: UsageError when the name is absolute, leads out of the folder, or is none
/// that files_to_lend() would give.
[[nodiscard]] std::filesystem::path lent_path(const std::filesystem::path& folder, const std::string& name);

/// Puts a piece behind what is there; the first one (offset 0) makes the file. Throws: UsageError, SystemError.
void write_fetched(const std::filesystem::path& folder, const std::string& name, std::uint64_t offset,
                   const std::vector<std::uint8_t>& bytes);

}  // namespace groma
