#include "logserver/log_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr std::size_t kReadBytes = 1U << 20U;
constexpr mode_t kFileMode = 0644;

}  // namespace

void sync_directory(const std::filesystem::path& directory) {
    const FileDescriptor fd(
        checked("open " + directory.string(), ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    checked("sync " + directory.string(), ::fsync(fd.get()));
}

LogFile::LogFile(std::filesystem::path file, std::uint64_t bytes)
    : file_(std::move(file)), part_(file_.string() + ".part") {
    std::error_code ignored;
    // A server that died between the renaming of a log and the catalogue's note of it: the log is still to be closed.
    if (std::filesystem::exists(file_, ignored) and not std::filesystem::exists(part_, ignored)) {
        checked("rename " + file_.string(), ::rename(file_.c_str(), part_.c_str()));
    }
    fd_ = FileDescriptor(
        checked("open " + part_.string(), ::open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kFileMode)));
    go_on_behind(bytes);
    sync_directory(part_.parent_path());
}

void LogFile::go_on_behind(std::uint64_t bytes) {
    std::vector<std::byte> buffer(std::min<std::uint64_t>(bytes, kReadBytes));
    while (bytes_ < bytes) {
        const std::size_t wanted = std::min<std::uint64_t>(bytes - bytes_, buffer.size());
        const ssize_t got = checked("read " + part_.string(), ::read(fd_.get(), buffer.data(), wanted));
        if (got == 0) {
            throw RunError(part_.string() + " holds " + std::to_string(bytes_) + " bytes, but " +
                           std::to_string(bytes) + " had been acknowledged: somebody changed it");
        }
        hash_.add(std::span(buffer).first(static_cast<std::size_t>(got)));
        bytes_ += static_cast<std::uint64_t>(got);
    }
    checked("cut " + part_.string(), ::ftruncate(fd_.get(), static_cast<off_t>(bytes)));
}

void LogFile::append(std::span<const std::byte> bytes) {
    hash_.add(bytes);
    while (not bytes.empty()) {
        const ssize_t written = ::write(fd_.get(), bytes.data(), bytes.size());
        if (written < 0 and errno == EINTR) {
            continue;
        }
        checked("write " + part_.string(), written, "is the log server's disk full?");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        bytes_ += static_cast<std::uint64_t>(written);
    }
}

void LogFile::sync() {
    checked("sync " + part_.string(), ::fdatasync(fd_.get()));
}

void LogFile::finish() {
    sync();
    checked("rename " + part_.string(), ::rename(part_.c_str(), file_.c_str()));
    sync_directory(file_.parent_path());
}

}  // namespace groma
