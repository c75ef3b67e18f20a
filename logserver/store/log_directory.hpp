// The directory of a log server: who works in it, where a log's file stands, and which names a log may have.
#pragma once

#include <filesystem>
#include <string>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// With its parents. Throws: SystemError.
void make_directory(const std::filesystem::path& directory);

/// A lock on a log server's directory: held by the server that works in it.
/// Returns: an invalid descriptor if another process holds it. Throws: SystemError.
[[nodiscard]] FileDescriptor lock_directory(const std::filesystem::path& directory);

/// DIR/EXPERIMENT/NAME.glog
[[nodiscard]] std::filesystem::path file_of_log(const std::filesystem::path& directory, const std::string& experiment,
                                                const std::string& name);

/// Throws: LogRefusal if one is not a valid name of a folder or file there, or may be the catalogue's.
void require_names(const std::string& experiment, const std::string& log);

/// The server does not change files that are not in its catalogue. Throws: LogRefusal if there is one where a new log
/// would be, complete or not.
void refuse_unknown_files(const std::filesystem::path& finished);

}  // namespace groma
