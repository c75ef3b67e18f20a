// Folders of spools: makes and locks them, and finds those of other programs.
#pragma once

#include <filesystem>
#include <vector>

#include "common/os/file_descriptor.hpp"

namespace groma {

inline constexpr const char* kSpoolFolderAdvice = "name another folder for pieces of logs with --spool-dir DIR";

/// With its parents; mode 0700. Throws: SystemError.
void make_spool_folder(const std::filesystem::path& folder);

/// Returns: invalid if another process holds it. Throws: SystemError.
[[nodiscard]] FileDescriptor lock_spool_folder(const std::filesystem::path& folder);

/// The name of a delivered spool's folder until it is deleted: other programs do not take it for a spool.
[[nodiscard]] std::filesystem::path name_of_delivered(const std::filesystem::path& spool);

/// Whether no program has it locked.
[[nodiscard]] bool is_unattended(const std::filesystem::path& spool);

/// Whether a log of this name, or its file while it is written, is the folder of spools or one above it: then no spool
/// could be made. An empty `parent`: there are no spools.
[[nodiscard]] bool is_in_the_way_of_spools(const std::filesystem::path& log, const std::filesystem::path& parent);

/// Deletes the rest of delivered spools that ended programs left, nothing else in the folder.
void remove_delivered(const std::filesystem::path& parent) noexcept;

/// The folders in `parent` with names of spools. Throws: SystemError if `parent` exists and cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> spools_in(const std::filesystem::path& parent);

}  // namespace groma
