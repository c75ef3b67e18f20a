// A log on this host's disk. It is written under its own name with ".part" behind it and gets its name at close(), so
// that a half-written log never looks whole; a log left as ".part" can be read all the same. An older log of the same
// name is replaced at close() and not before, an older ".part" at once. Every piece is handed to the kernel when it
// comes: a program that is killed loses none that it had appended, and whoever reads along sees it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "common/log/log_sink.hpp"

namespace groma {

/// The file of a log while it is being written, or when it was left so.
[[nodiscard]] std::string part_of_log(const std::string& log);
/// The other way round: the log's own name, whichever of the two is given.
[[nodiscard]] std::string log_of_part(const std::string& file);
/// Which of the two this is.
[[nodiscard]] bool is_part_of_log(const std::string& file);

/// `file` may also be something that takes bytes but no name, such as /dev/null or a FIFO, or "-" for standard output:
/// it is written as it is. append() and close() throw SystemError naming the file; after an error nothing more is
/// written and the log stays ".part". Throws: SystemError when the file cannot be made (before the run, so that no
/// measurement is lost for it), also when another program is writing it.
[[nodiscard]] std::unique_ptr<LogSink> open_file_sink(const std::filesystem::path& file);

}  // namespace groma
