// A log on this host's disk. It is written under its own name with ".part" behind it and gets its name at close(), so
// that a half-written log never looks whole; a log left as ".part" can be read all the same.
#pragma once

#include <filesystem>
#include <memory>

#include "common/log/log_sink.hpp"

namespace groma {

/// Throws: SystemError when the file cannot be made (before the run, so that no measurement is lost for it).
[[nodiscard]] std::unique_ptr<LogSink> open_file_sink(const std::filesystem::path& file);

}  // namespace groma
