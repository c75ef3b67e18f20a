// Folders of spools: how they are made and locked, and what is there of other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "common/os/file_descriptor.hpp"

namespace groma {

inline constexpr const char* kSpoolFolderAdvice = "name another folder for pieces of logs with --spool-dir DIR";

/// With its parents; nobody else may look into it. Throws: SystemError.
void make_spool_folder(const std::filesystem::path& folder);

/// Returns: invalid if another process holds it. Throws: SystemError.
[[nodiscard]] FileDescriptor lock_spool_folder(const std::filesystem::path& folder);

/// What the folder of a spool that was delivered is called until it is gone: no other program takes it for a spool.
[[nodiscard]] std::filesystem::path name_of_delivered(const std::filesystem::path& spool);

/// Whether no program has it.
[[nodiscard]] bool is_unattended(const std::filesystem::path& spool);

/// Whether a log of this name, while it is written or later, would stand where the folder of spools is, belongs, or has
/// a folder above it: then no spool could be made any more. An empty `parent` is no folder.
[[nodiscard]] bool is_in_the_way_of_spools(const std::filesystem::path& log, const std::filesystem::path& parent);

/// Deletes what programs that were ended left of spools that they had delivered, and nothing else in the folder.
void remove_delivered(const std::filesystem::path& parent) noexcept;

/// The bytes of pieces in them. A folder that cannot be read has none.
[[nodiscard]] std::uint64_t bytes_on_disk(const std::vector<std::filesystem::path>& spools) noexcept;

/// The folders below `parent` that look like spools. Throws: SystemError when `parent` is there and cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> spools_in(const std::filesystem::path& parent);

}  // namespace groma
