// Opens a log for reading, also while it is being renamed.
#pragma once

#include <filesystem>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// A log that is being written is NAME.part and is renamed to NAME at its end, perhaps since the caller found it. If
/// NAME.part does not exist any more, opens NAME. Throws: SystemError if it cannot be opened.
[[nodiscard]] FileDescriptor open_log(const std::filesystem::path& file);

}  // namespace groma
