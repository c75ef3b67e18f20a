#include "common/os/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0666;  // less the user's umask

bool is_written_in_place(const fs::path& file) {
    std::error_code ignored;
    if (fs::exists(file, ignored) and not fs::is_regular_file(file, ignored)) {
        return true;
    }
    return fs::is_symlink(file, ignored) and fs::read_symlink(file, ignored).string().starts_with("/proc/");
}

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
    if (not is_written_in_place(path_)) {
        part_ += ".part";
        std::error_code ignored;
        fs::remove(part_, ignored);
    }
}

PendingFile::~PendingFile() {
    if (not in_place()) {
        std::error_code ignored;
        fs::remove(part_, ignored);
    }
}

void PendingFile::keep() {
    if (in_place()) {
        return;
    }
    const std::string attempt = "keep " + path_.string();
    const FileDescriptor file(checked(attempt, ::open(part_.c_str(), O_RDONLY | O_CLOEXEC)));
    checked(attempt, ::fsync(file.get()));
    checked(attempt, ::rename(part_.c_str(), path_.c_str()));
}

OutputStream::OutputStream(const std::string& target)
    : attempt_(target == "-" ? "write to standard output" : "write " + target) {
    if (target != "-") {
        pending_.emplace(target);
        const int flags = pending_->in_place() ? O_TRUNC : O_CREAT | O_EXCL;
        file_ = FileDescriptor(checked(attempt_, ::open(pending_->part().c_str(), O_WRONLY | O_CLOEXEC | flags, kMode),
                                       "does its folder exist, and may you write there?"));
    }
}

void OutputStream::write(std::span<const std::byte> piece) {
    const std::string_view text(reinterpret_cast<const char*>(piece.data()), piece.size());
    wanted_ = wanted_ and write_all(pending_ ? file_.get() : STDOUT_FILENO, attempt_, text);
    if (pending_ and not wanted_) {
        throw SystemError(attempt_, EPIPE);
    }
}

void OutputStream::keep() {
    file_.reset();
    if (pending_) {
        pending_->keep();
    }
}

void OutputStream::complete(std::string_view text) {
    write(std::as_bytes(std::span(text)));
    keep();
}

bool write_output(const std::string& target, std::string_view text) {
    OutputStream out(target);
    out.complete(text);
    return out.wanted();
}

}  // namespace groma
