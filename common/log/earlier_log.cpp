#include "common/log/earlier_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "common/base/errors.hpp"
#include "common/log/log_part.hpp"
#include "common/os/checked.hpp"
#include "common/wire/log_block.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

RunError being_written(const fs::path& file) {
    return RunError("cannot write the log " + file.string() +
                    ": it is being written for another run; give this one another name");
}

/// Compares as many bytes as there are: an empty file passes.
bool begins_as_log(const FileDescriptor& fd) {
    std::array<std::byte, kLogMagic.size()> start{};
    const ssize_t size = ::pread(fd.get(), start.data(), start.size(), 0);
    return size >= 0 and std::equal(start.begin(), start.begin() + size, kLogMagic.begin());
}

}  // namespace

bool is_name_of_file(const fs::path& file, const FileDescriptor& fd) {
    struct stat named {};
    struct stat opened {};
    return ::lstat(file.c_str(), &named) == 0 and ::fstat(fd.get(), &opened) == 0 and named.st_dev == opened.st_dev and
           named.st_ino == opened.st_ino;
}

bool is_empty_file(const FileDescriptor& fd) {
    struct stat opened {};
    return ::fstat(fd.get(), &opened) == 0 and opened.st_size == 0;
}

FileDescriptor replaceable_log(const fs::path& file, int mode, EarlierLog earlier) {
    std::error_code unknown;
    const fs::file_status status = fs::symlink_status(file, unknown);
    if (not fs::exists(status)) {
        return {};
    }
    const std::string attempt = "write the log " + file.string();
    FileDescriptor fd;
    if (fs::is_regular_file(status)) {
        fd = FileDescriptor(::open(file.c_str(), mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (not fd.valid() and errno == ENOENT) {  // renamed to its own name meanwhile, or removed
            return {};
        }
        checked(attempt, fd.get(), "what has this name cannot be read: give another name");
    }
    if (fd.valid() and ::flock(fd.get(), (mode == O_RDWR ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        throw being_written(file);
    }
    if (not fd.valid() or not begins_as_log(fd)) {
        throw UsageError("cannot " + attempt + ": it exists and is not a log; give another name");
    }
    if (not earlier.replaced and not is_empty_file(fd)) {
        std::string advice = "give another name";
        advice.append(earlier.advice.empty() ? "" : ", ").append(earlier.advice);
        throw UsageError("cannot " + attempt + ": it is there already; " + advice);
    }
    return fd;
}

FileDescriptor make_log_part(const fs::path& part, EarlierLog earlier) {
    const auto make = [&part] {
        return ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    };
    FileDescriptor fd(make());
    if (not fd.valid() and errno == EEXIST) {
        const FileDescriptor old = replaceable_log(part, O_RDWR, earlier);
        if (old.valid() and (not is_name_of_file(part, old) or ::unlink(part.c_str()) != 0)) {
            throw being_written(part);
        }
        fd = FileDescriptor(make());
    }
    if (not fd.valid() and errno == EEXIST) {
        throw being_written(part);
    }
    checked("write the log " + part.string(), fd.get());
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0 or not is_name_of_file(part, fd)) {
        throw being_written(part);
    }
    return fd;
}

FileDescriptor open_part_of_log(const fs::path& log) {
    const std::string part = part_of_log(log.string());
    return FileDescriptor(checked("read the log " + part, ::open(part.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)));
}

}  // namespace groma
