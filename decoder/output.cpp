#include "decoder/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr mode_t kMode = 0666;  // less the user's umask

/// Returns: false on a broken pipe.
bool write_all(int fd, const std::string& attempt, std::string_view text) {
    while (not text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 and errno == EINTR) {
            continue;
        }
        if (written < 0 and errno == EPIPE) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(checked(attempt, written)));
    }
    return true;
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path path) : path_(std::move(path)), part_(path_) {
    part_ += ".part";
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
}

PendingFile::~PendingFile() {
    std::error_code ignored;
    std::filesystem::remove(part_, ignored);
}

void PendingFile::keep() {
    const std::string attempt = "keep " + path_.string();
    const FileDescriptor file(checked(attempt, ::open(part_.c_str(), O_RDONLY | O_CLOEXEC)));
    checked(attempt, ::fsync(file.get()));
    checked(attempt, ::rename(part_.c_str(), path_.c_str()));
}

bool write_output(const std::string& target, std::string_view text) {
    if (target == "-") {
        return write_all(STDOUT_FILENO, "write to standard output", text);
    }
    PendingFile pending(target);
    const std::string attempt = "write " + target;
    {
        const FileDescriptor file(
            checked(attempt, ::open(pending.part().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode)));
        if (not write_all(file.get(), attempt, text)) {
            throw SystemError(attempt, EPIPE);
        }
    }
    pending.keep();
    return true;
}

}  // namespace groma
