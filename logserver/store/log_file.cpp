#include "logserver/store/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr std::size_t kReadBytes = 1U << 20U;
constexpr mode_t kFileMode = 0640;

bool is_there(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(std::filesystem::symlink_status(file, ignored));
}

struct stat status_of(const FileDescriptor& fd, const std::filesystem::path& file) {
    struct stat status {};
    checked("look at " + file.string(), ::fstat(fd.get(), &status));
    return status;
}

}  // namespace

std::filesystem::path part_of(const std::filesystem::path& file) {
    return file.string() + ".part";
}

void give_name(const std::filesystem::path& file) {
    const auto part = part_of(file);
    if (is_there(part) or not is_there(file)) {
        checked("rename " + part.string(), ::rename(part.c_str(), file.c_str()));
    }
}

void take_name_back(const std::filesystem::path& file) {
    if (is_there(file) and not is_there(part_of(file))) {
        checked("rename " + file.string(), ::rename(file.c_str(), part_of(file).c_str()));
    }
}

void sync_directory(const std::filesystem::path& directory) {
    const FileDescriptor fd(
        checked("open " + directory.string(), ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    checked("sync " + directory.string(), ::fsync(fd.get()));
}

LogFile::LogFile(std::filesystem::path file, std::uint64_t bytes)
    : file_(std::move(file)), part_(part_of(file_)), bytes_(bytes), unread_(bytes) {
    take_name_back(file_);
    fd_ = FileDescriptor(
        checked("open " + part_.string(), ::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kFileMode)));
    require_bytes(static_cast<std::uint64_t>(status_of(fd_, part_).st_size));
    checked("cut " + part_.string(), ::ftruncate(fd_.get(), static_cast<off_t>(bytes)));
}

void LogFile::require_bytes(std::uint64_t there) const {
    if (there < bytes_) {
        throw RunError(part_.string() + " holds " + counted(there, "byte") + ", but " + std::to_string(bytes_) +
                       " had been acknowledged: another program changed it");
    }
}

void LogFile::read_on() {
    std::vector<std::byte> buffer(std::min<std::uint64_t>(unread_, kReadBytes));
    const std::uint64_t at = bytes_ - unread_;
    const ssize_t got =
        checked("read " + part_.string(), ::pread(fd_.get(), buffer.data(), buffer.size(), static_cast<off_t>(at)));
    if (got == 0) {
        require_bytes(at);
    }
    hash_.add(std::span(buffer).first(static_cast<std::size_t>(got)));
    unread_ -= static_cast<std::uint64_t>(got);
}

bool LogFile::is_in_place() const {
    struct stat named {};
    const struct stat here = status_of(fd_, part_);
    return ::stat(part_.c_str(), &named) == 0 and named.st_dev == here.st_dev and named.st_ino == here.st_ino;
}

void LogFile::append(std::span<const std::byte> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written =
            ::pwrite(fd_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(bytes_ + done));
        if (written < 0 and errno == EINTR) {
            continue;
        }
        if (written < 0) {
            const SystemError error("write " + part_.string(), errno, "is the log server's disk full?");
            checked("cut " + part_.string(), ::ftruncate(fd_.get(), static_cast<off_t>(bytes_)));
            throw error;
        }
        done += static_cast<std::size_t>(written);
    }
    bytes_ += bytes.size();
    hash_.add(bytes);
}

void LogFile::sync() const {
    checked("sync " + part_.string(), ::fdatasync(fd_.get()));
}

}  // namespace groma
