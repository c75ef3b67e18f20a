// Names of logs that an earlier run may have taken: what has the name is replaced, or it is an error to use it.
#pragma once

#include <filesystem>
#include <string_view>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// What happens to an earlier run's log of the same name.
struct EarlierLog {
    bool replaced = false;
    std::string_view advice{};  ///< how to replace it: "or --force to replace it"
};

/// Returns: the log, or empty file, of this name that may be replaced, locked against other runs; invalid if the name
/// is free. `mode`: O_RDWR if it is to be removed, otherwise O_RDONLY. Throws: UsageError, RunError or SystemError if
/// the name cannot be used.
[[nodiscard]] FileDescriptor replaceable_log(const std::filesystem::path& file, int mode, EarlierLog earlier);

/// A new, locked file. If several runs try at once, at most one of them gets it. Throws: as replaceable_log().
[[nodiscard]] FileDescriptor make_log_part(const std::filesystem::path& part, EarlierLog earlier);

/// The part of a log that is being written, to be read. Requires: the sink that writes it is open, so that its part is
/// locked. Throws: SystemError.
[[nodiscard]] FileDescriptor open_part_of_log(const std::filesystem::path& log);

/// Whether `file` is a name of the open file itself, not a symbolic link to it.
[[nodiscard]] bool is_name_of_file(const std::filesystem::path& file, const FileDescriptor& fd);

[[nodiscard]] bool is_empty_file(const FileDescriptor& fd);

}  // namespace groma
