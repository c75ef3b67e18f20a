#include "logserver/store/kept_room.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr mode_t kMode = 0600;

}  // namespace

KeptRoom::KeptRoom(std::filesystem::path file, std::uint64_t bytes) : file_(std::move(file)), bytes_(bytes) {}

std::uint64_t KeptRoom::keep(std::uint64_t free_bytes) const noexcept {
    if (is_there()) {
        return 0;
    }
    if (free_bytes >= bytes_) {
        make();
    }
    return bytes_;
}

void KeptRoom::give_up() const noexcept {
    ::unlink(file_.c_str());
}

bool KeptRoom::is_there() const noexcept {
    struct stat found {};
    return ::stat(file_.c_str(), &found) == 0 and static_cast<std::uint64_t>(found.st_size) >= bytes_;
}

void KeptRoom::make() const noexcept {
    const FileDescriptor fd(::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode));
    if (::posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes_)) != 0) {
        give_up();
    }
}

}  // namespace groma
