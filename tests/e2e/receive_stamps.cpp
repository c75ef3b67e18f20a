// Loaded into a program with LD_PRELOAD: records which datagrams it reads, and when, by the program's own clock. The
// file that RECEIVE_STAMPS names gets a line for each: its first 16 bytes in hexadecimal digits, and the time that the
// program read from CLOCK_MONOTONIC next, in nanoseconds. For programs that read(2) in one thread.
#include <dlfcn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

using Read = ssize_t (*)(int, void*, std::size_t);
using ReadClock = int (*)(clockid_t, timespec*);

constexpr std::size_t kShown = 16;

struct Datagram {
    std::array<unsigned char, kShown> beginning{};
    bool is_stamped = true;
};

Datagram& latest() {
    static Datagram datagram;
    return datagram;
}

std::FILE* stamps() {
    static std::FILE* const file = [] {
        const char* const name = std::getenv("RECEIVE_STAMPS");
        std::FILE* const opened = name == nullptr ? nullptr : std::fopen(name, "w");
        if (opened == nullptr) {
            std::perror("cannot open the file that RECEIVE_STAMPS names");
            std::abort();
        }
        return opened;
    }();
    return file;
}

bool is_datagram_socket(int fd) {
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 and type == SOCK_DGRAM;
}

void write_down(const timespec& now) {
    for (const unsigned byte : latest().beginning) {
        std::fprintf(stamps(), "%02x", byte);
    }
    std::fprintf(stamps(), " %" PRId64 "\n", std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec);
    std::fflush(stamps());
    latest().is_stamped = true;
}

}  // namespace

extern "C" ssize_t read(int fd, void* buffer, std::size_t size) {
    static const auto kRead = reinterpret_cast<Read>(::dlsym(RTLD_NEXT, "read"));
    const ssize_t got = kRead(fd, buffer, size);
    if (got >= static_cast<ssize_t>(kShown) and is_datagram_socket(fd)) {
        std::memcpy(latest().beginning.data(), buffer, kShown);
        latest().is_stamped = false;
    }
    return got;
}

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    static const auto kClock = reinterpret_cast<ReadClock>(::dlsym(RTLD_NEXT, "clock_gettime"));
    const int result = kClock(clock, now);
    if (result == 0 and clock == CLOCK_MONOTONIC and not latest().is_stamped) {
        write_down(*now);
    }
    return result;
}
