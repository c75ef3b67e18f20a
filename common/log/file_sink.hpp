// A log on this host's disk. It is written under its own name with ".part" appended and gets its name at close(), so
// that a half-written log never looks complete; a ".part" can still be read. A log of an earlier run with one of these
// names is kept unless it may be replaced: at close() and not before, a ".part" at once. A file that is not a log is
// never replaced. The ".part" is always a new file: an older file or link of that name is neither written nor followed.
// Each piece goes to the kernel at once: a killed program loses none that it had appended, and readers of the growing
// log see it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "common/log/earlier_log.hpp"
#include "common/log/log_part.hpp"
#include "common/log/log_sink.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// append() and close() throw SystemError naming the file; after an error nothing more is written and the log stays
/// ".part". close() throws RunError if the ".part" is another file by then, or the name is taken. A log without any
/// append() leaves no file. Throws: UsageError if the name ends in ".part" or is taken, except by an empty file;
/// RunError if any program is writing a log of this name, as far as the file system takes two names for one;
/// SystemError if it cannot be made (all before the run, so that no measurement is lost).
[[nodiscard]] std::unique_ptr<LogSink> open_named_file_sink(const std::filesystem::path& file, EarlierLog earlier = {});

/// A log that costs as much to write as any other, but has no name and disappears with the sink. Throws: SystemError if
/// it cannot be made.
[[nodiscard]] std::unique_ptr<LogSink> open_discarded_file_sink(const std::filesystem::path& file);

struct UnnamedLog {
    std::unique_ptr<LogSink> sink;
    FileDescriptor file;  ///< to read it
};

/// The same, to be read again until then. `file`: in whose folder it is; `kept`: where errors say what was written is.
[[nodiscard]] UnnamedLog open_unnamed_file_sink(const std::filesystem::path& file, std::string kept);

/// As open_named_file_sink(), but `file` may also be a target without a name of its own, such as /dev/null or a FIFO,
/// or "-" for standard output; it is written directly.
[[nodiscard]] std::unique_ptr<LogSink> open_file_sink(const std::filesystem::path& file, EarlierLog earlier = {});

}  // namespace groma
