// A log on this host's disk. It is written under its own name with ".part" behind it and gets its name at close(), so
// that a half-written log never looks whole; a log left as ".part" can be read all the same. A log of an earlier run
// that has one of these names is kept unless it may be replaced: at close() and not before, a ".part" at once. What is
// no log is never replaced. The ".part" is always a new file: whatever had its name before is neither written nor
// followed. Every piece is handed to the kernel when it comes: a program that is killed loses none that it had
// appended, and whoever reads along sees it.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "common/log/log_part.hpp"
#include "common/log/log_sink.hpp"

namespace groma {

/// What becomes of the log of an earlier run that has the name.
struct EarlierLog {
    bool replaced = false;
    std::string_view advice{};  ///< how to have it replaced: "or --force to replace it"
};

/// append() and close() throw SystemError naming the file; after an error nothing more is written and the log stays
/// ".part". close() throws RunError when that is another file by then, or the name is taken. A log to which nothing was
/// appended leaves nothing. Throws: UsageError when the name ends in ".part" or is taken, but for an empty file;
/// RunError when a log of this name is being written, by whatever program, as far as the file system takes two names
/// for one; SystemError when it cannot be made (all before the run, so that no measurement is lost for it).
[[nodiscard]] std::unique_ptr<LogSink> open_named_file_sink(const std::filesystem::path& file, EarlierLog earlier = {});

/// A log that is written like any other, at the cost of any other, but has no name, and is gone with the sink.
/// Throws: SystemError when it cannot be made.
[[nodiscard]] std::unique_ptr<LogSink> open_discarded_file_sink(const std::filesystem::path& file);

/// As open_named_file_sink(), but `file` may also be something that takes bytes but no name, such as /dev/null or a
/// FIFO, or "-" for standard output: it is written as it is.
[[nodiscard]] std::unique_ptr<LogSink> open_file_sink(const std::filesystem::path& file, EarlierLog earlier = {});

}  // namespace groma
