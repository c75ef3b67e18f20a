// Writes secrets where only their owner reads them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace groma {

/// Throws: UsageError if `fd` is a terminal; `instead` is the command line to write instead.
void require_no_terminal(int fd, std::string_view instead);

/// Writes `text` to `fd`, standard output for messages, and wipes it. A regular file loses all permissions of others
/// first: a shell makes it readable by all. Throws: SystemError; if the permissions stay, nothing was written.
void write_secret(int fd, std::string text);

/// Makes a file that its owner alone may read, in a folder that is there. Throws: UsageError if there is such a file,
/// which stays as it is; SystemError.
void write_new_file(const std::filesystem::path& file, std::string_view text);

}  // namespace groma
