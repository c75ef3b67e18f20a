// Files and names of simulated programs: a host's disk is a folder, whose Disk records every change.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/world/calls.hpp"

namespace groma::world {
namespace {

/// Files of the real machine, which simulated programs must not see.
bool is_of_the_machine(std::string_view path) {
    return path.starts_with("/proc/") or path.starts_with("/sys/") or
           (path.starts_with("/dev/") and not path.starts_with("/dev/shm"));
}

std::shared_ptr<OpenFile> file_at(World& world, int fd) {
    return world.current().find_as<OpenFile>(fd, EINVAL);
}

int open_file(World& world, const char* path, int flags, mode_t mode) {
    static const auto open_really = real::call<decltype(&::open)>("open");
    Host* const host = world.host_of(path);
    if (const int error = enter(world, Call::open); error != 0) {
        return failed(error);
    }
    if (std::string_view(path) == "/dev/null") {
        return world.current().install(std::make_shared<NullDevice>());
    }
    if (host == nullptr) {
        return is_of_the_machine(path) ? failed(ENOENT) : open_really(path, flags, mode);
    }
    const bool was_there = ::faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    if (not was_there and (flags & O_CREAT) != 0 and (host->disk->is_full or host->disk->has_no_inodes)) {
        return failed(ENOSPC);
    }
    if (world.current().descriptors.size() >= world.current().most_descriptors) {
        return failed(EMFILE);
    }
    const int fd = open_really(path, flags, mode);
    if (fd < 0) {
        return fd;
    }
    if (not was_there) {
        host->disk->made(path);
    }
    const auto file = std::make_shared<OpenFile>(*host, path, fd, (flags & O_APPEND) != 0);
    if (was_there and (flags & O_TRUNC) != 0) {
        file->cut(0);
    }
    return world.current().install(file);
}

/// A call on a descriptor of a file; -1 and errno if it is not one, or if the call fails.
template <class Work>
auto on_file(World& world, int fd, Call call, Work work) -> decltype(work(std::declval<OpenFile&>())) {
    const int error = enter(world, call);
    const auto file = file_at(world, fd);
    if (not file or error != 0) {
        return failed<decltype(work(*file))>(error != 0 ? error : errno);
    }
    return work(*file);
}

/// A call that changes a name: `done` informs the disk if the real call succeeded.
template <class Real, class Done>
int on_name(const char* path, Call call, Real really, Done done) {
    const Inside world = simulated();
    Host* const host = world == nullptr ? nullptr : world->host_of(path);
    if (host == nullptr) {
        return really();
    }
    if (const int error = enter(*world, call); error != 0) {
        return failed(error);
    }
    const int result = really();
    if (result >= 0) {
        done(*host->disk);
    }
    return result;
}

std::string path_of(int folder, const char* name) {
    std::string path(PATH_MAX, '\0');
    const ssize_t size = ::readlink(("/proc/self/fd/" + std::to_string(folder)).c_str(), path.data(), path.size());
    path.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return folder == AT_FDCWD or *name == '/' ? name : path + '/' + name;
}

/// Each program has its own device numbers, so that SQLite does not reuse its state about the files of a killed
/// program.
int told(int result, struct stat* about) {
    if (const Inside world = simulated(); world != nullptr and result == 0) {
        about->st_dev = world->current().id;
    }
    return result;
}

/// Replaces the X at the end of a template.
void choose_name(World& world, std::string_view pattern) {
    auto* const end = const_cast<char*>(pattern.data()) + pattern.size();
    std::generate(end - 6, end, [&world] { return static_cast<char>('a' + world.tasks.random()() % 26); });
}

int rename_file(const char* from, const char* to, unsigned flags) {
    static const auto rename_really = real::call<decltype(&::renameat2)>("renameat2");
    return on_name(
        to, Call::rename, [=] { return rename_really(AT_FDCWD, from, AT_FDCWD, to, flags); },
        [=](Disk& disk) { disk.renamed(from, to); });
}

}  // namespace
}  // namespace groma::world

namespace world = groma::world;
namespace real = groma::world::real;
using groma::world::Call;
using groma::world::simulated;
using groma::world::simulated_at;

extern "C" {

int open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const auto mode = va_arg(list, mode_t);
    va_end(list);
    REAL_UNLESS(simulated(), open, path, flags, mode);
    return world::open_file(*here, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const auto mode = va_arg(list, mode_t);
    va_end(list);
    return open(path, flags, mode);
}

/// For the C++ library's directory iterators, which read folders by a real descriptor.
int openat(int folder, const char* path, int flags, ...) {
    static const auto open_really = real::call<decltype(&::openat)>("openat");
    va_list list;
    va_start(list, flags);
    const auto mode = va_arg(list, mode_t);
    va_end(list);
    return simulated() != nullptr and world::is_of_the_machine(path) ? world::failed(ENOENT)
                                                                     : open_really(folder, path, flags, mode);
}

FILE* fopen64(const char* path, const char* mode) {
    REAL_UNLESS(simulated(), fopen64, path, mode);
    if (std::string_view(path) == "/proc/sys/kernel/random/boot_id") {
        return really(here->current().host->boot_id_file.c_str(), mode);
    }
    if (world::is_of_the_machine(path)) {
        errno = ENOENT;
        return nullptr;
    }
    if (*mode != 'r' and here->host_of(path) != nullptr) {
        std::fprintf(stderr, "the world does not know of streams that write: %s\n", path);
        std::abort();
    }
    return really(path, mode);
}

ssize_t pread(int fd, void* out, std::size_t size, off_t at) {
    REAL_UNLESS(simulated_at(fd), pread, fd, out, size, at);
    const iovec piece{out, size};
    return world::on_file(*here, fd, Call::none, [&](world::OpenFile& file) { return file.read_at({&piece, 1}, at); });
}

ssize_t pread64(int fd, void* out, std::size_t size, off64_t at) {
    return pread(fd, out, size, at);
}

ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t at) {
    REAL_UNLESS(simulated_at(fd), pwrite, fd, bytes, size, at);
    const iovec piece{const_cast<void*>(bytes), size};
    return world::on_file(*here, fd, Call::write, [&](world::OpenFile& file) {
        return file.write_at({&piece, 1}, at);
    });
}

ssize_t pwrite64(int fd, const void* bytes, std::size_t size, off64_t at) {
    return pwrite(fd, bytes, size, at);
}

ssize_t pwritev(int fd, const iovec* pieces, int count, off_t at) {
    REAL_UNLESS(simulated_at(fd), pwritev, fd, pieces, count, at);
    return world::on_file(*here, fd, Call::write, [&](world::OpenFile& file) {
        return file.write_at({pieces, static_cast<std::size_t>(count)}, at);
    });
}

off_t lseek(int fd, off_t at, int whence) noexcept {
    REAL_UNLESS(simulated_at(fd), lseek, fd, at, whence);
    return world::on_file(*here, fd, Call::none, [&](world::OpenFile& file) { return really(file.fd(), at, whence); });
}

off64_t lseek64(int fd, off64_t at, int whence) noexcept {
    return lseek(fd, at, whence);
}

int ftruncate(int fd, off_t size) noexcept {
    REAL_UNLESS(simulated_at(fd), ftruncate, fd, size);
    return world::on_file(*here, fd, Call::write, [=](world::OpenFile& file) { return file.cut(size); });
}

int ftruncate64(int fd, off64_t size) noexcept {
    return ftruncate(fd, size);
}

int posix_fallocate(int fd, off_t at, off_t size) {
    REAL_UNLESS(simulated_at(fd), posix_fallocate, fd, at, size);
    return world::on_file(*here, fd, Call::write, [=](world::OpenFile& file) { return file.grow(at + size); }) == 0
               ? 0
               : errno;
}

int fsync(int fd) {
    REAL_UNLESS(simulated_at(fd), fsync, fd);
    return world::on_file(*here, fd, Call::sync, [&](world::OpenFile& file) {
        here->tasks.pass(std::chrono::milliseconds(1));
        here->tasks.pause();  // a disk takes its time
        return file.sync();
    });
}

int fdatasync(int fd) {
    return fsync(fd);
}

int flock(int fd, int operation) noexcept {
    REAL_UNLESS(simulated_at(fd), flock, fd, operation);
    return world::on_file(*here, fd, Call::none, [=](world::OpenFile& file) { return file.lock(operation); });
}

int fstat(int fd, struct stat* about) noexcept {
    REAL_UNLESS(simulated_at(fd), fstat, fd, about);
    return world::told(
        world::on_file(*here, fd, Call::none, [=](world::OpenFile& file) { return really(file.fd(), about); }), about);
}

int fstat64(int fd, struct stat64* about) noexcept {
    return fstat(fd, reinterpret_cast<struct stat*>(about));
}

int stat(const char* path, struct stat* about) noexcept {
    static const auto stat_really = real::call<decltype(&::stat)>("stat");
    return simulated() != nullptr and world::is_of_the_machine(path) ? world::failed(ENOENT)
                                                                     : world::told(stat_really(path, about), about);
}

int stat64(const char* path, struct stat64* about) noexcept {
    return stat(path, reinterpret_cast<struct stat*>(about));
}

int lstat(const char* path, struct stat* about) noexcept {
    static const auto stat_really = real::call<decltype(&::lstat)>("lstat");
    return world::told(stat_really(path, about), about);
}

int lstat64(const char* path, struct stat64* about) noexcept {
    return lstat(path, reinterpret_cast<struct stat*>(about));
}

int statvfs(const char* path, struct statvfs* about) noexcept {
    static const auto stat_really = real::call<decltype(&::statvfs)>("statvfs");
    const world::Inside here = simulated();
    world::Host* const host = here == nullptr ? nullptr : here->host_of(path);
    const int result = stat_really(path, about);
    if (host != nullptr and result == 0) {
        about->f_frsize = about->f_bsize = 4096;
        about->f_bavail = about->f_bfree = host->disk->is_full ? 0 : host->disk->room / 4096;
        about->f_favail = about->f_ffree = host->disk->has_no_inodes ? 0 : 1'000'000;
    }
    return result;
}

int fchmod(int fd, mode_t mode) noexcept {
    REAL_UNLESS(simulated_at(fd), fchmod, fd, mode);
    return world::on_file(*here, fd, Call::none, [=](world::OpenFile& file) { return really(file.fd(), mode); });
}

int unlink(const char* path) noexcept {
    static const auto unlink_really = real::call<decltype(&::unlink)>("unlink");
    return world::on_name(
        path, Call::remove, [=] { return unlink_really(path); }, [=](world::Disk& disk) { disk.took_away(path); });
}

int rmdir(const char* path) noexcept {
    static const auto remove_really = real::call<decltype(&::rmdir)>("rmdir");
    return world::on_name(
        path, Call::remove, [=] { return remove_really(path); }, [=](world::Disk& disk) { disk.took_away(path); });
}

int remove(const char* path) noexcept {
    static const auto remove_really = real::call<decltype(&::remove)>("remove");
    return world::on_name(
        path, Call::remove, [=] { return remove_really(path); }, [=](world::Disk& disk) { disk.took_away(path); });
}

int unlinkat(int folder, const char* name, int flags) noexcept {
    static const auto unlink_really = real::call<decltype(&::unlinkat)>("unlinkat");
    const std::string path = simulated() == nullptr ? name : world::path_of(folder, name);
    return world::on_name(
        path.c_str(), Call::remove, [=] { return unlink_really(folder, name, flags); },
        [&](world::Disk& disk) { disk.took_away(path); });
}

int rename(const char* from, const char* to) noexcept {
    return world::rename_file(from, to, 0);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept {
    REAL_UNLESS(simulated(), renameat2, from_folder, from, to_folder, to, flags);
    return world::rename_file(from, to, flags);
}

int mkdir(const char* path, mode_t mode) noexcept {
    static const auto make = real::call<decltype(&::mkdir)>("mkdir");
    const world::Inside here = simulated();
    if (world::Host* const host = here == nullptr ? nullptr : here->host_of(path);
        host != nullptr and (host->disk->is_full or host->disk->has_no_inodes)) {
        return world::failed(ENOSPC);
    }
    return world::on_name(
        path, Call::folder, [=] { return make(path, mode); }, [=](world::Disk& disk) { disk.made(path); });
}

char* mkdtemp(char* path) noexcept {
    REAL_UNLESS(simulated(), mkdtemp, path);
    world::choose_name(*here, path);
    return mkdir(path, 0700) == 0 ? path : nullptr;
}

int mkostemp(char* path, int flags) {
    REAL_UNLESS(simulated(), mkostemp, path, flags);
    world::choose_name(*here, path);
    return open(path, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
}

void* mmap64(void* where, std::size_t size, int protection, int flags, int fd, off64_t at) noexcept {
    static const auto map = real::call<decltype(&::mmap64)>("mmap64");
    const world::Inside here = simulated_at(fd);
    const auto file = here == nullptr ? nullptr : world::file_at(*here, fd);
    return map(where, size, protection, flags, file ? file->fd() : fd, at);
}

int gethostname(char* name, std::size_t size) noexcept {
    REAL_UNLESS(simulated(), gethostname, name, size);
    std::snprintf(name, size, "%s", here->current().host->name.c_str());
    return 0;
}

pid_t getpid() noexcept {
    REAL_UNLESS(simulated(), getpid, );
    return static_cast<pid_t>(here->current().id);
}

}  // extern "C"
