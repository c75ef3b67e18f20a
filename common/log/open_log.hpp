// Opens a log to read it, also one that gets its name at that moment.
#pragma once

#include <filesystem>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// A log that is being written is NAME.part and gets its name at its end, perhaps between the look that found it and
/// this: where there is no NAME.part any more, that is NAME. Throws: SystemError when it cannot be opened.
[[nodiscard]] FileDescriptor open_log(const std::filesystem::path& file);

}  // namespace groma
