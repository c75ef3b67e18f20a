#include "common/os/process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "common/os/file_descriptor.hpp"

namespace groma {

void set_thread_name(const std::string& name) noexcept {
    std::array<char, 16> kept{};  // TASK_COMM_LEN, the final zero included; a longer name would be refused
    std::copy_n(name.begin(), std::min(name.size(), kept.size() - 1), kept.begin());
    ::pthread_setname_np(::pthread_self(), kept.data());
}

void give_back_memory() noexcept {
    ::malloc_trim(0);
}

void keep_files_from_others() noexcept {
    constexpr mode_t kOthers = 027;
    ::umask(::umask(kOthers) | kOthers);
}

std::uint64_t raise_fd_limit() noexcept {
    constexpr rlim_t kMostThatKernelsGive = rlim_t{1} << 20U;  // the usual value of fs.nr_open
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const rlimit most{.rlim_cur = kMostThatKernelsGive, .rlim_max = kMostThatKernelsGive};
    if (limit.rlim_max < kMostThatKernelsGive and ::setrlimit(RLIMIT_NOFILE, &most) == 0) {
        return most.rlim_cur;
    }
    const rlimit raised{.rlim_cur = limit.rlim_max, .rlim_max = limit.rlim_max};
    return ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

std::uint64_t fds_beyond(int newest) noexcept {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const auto used = static_cast<rlim_t>(newest) + 1;
    return newest < 0 or used >= limit.rlim_cur ? 0 : limit.rlim_cur - used;
}

std::uint64_t fds_left() noexcept {
    const FileDescriptor next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    return next.valid() ? fds_beyond(next.get()) + 1 : 0;
}

}  // namespace groma
