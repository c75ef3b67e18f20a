#include "common/os/wakeup.hpp"

#include <sys/eventfd.h>

#include <cerrno>

#include "common/os/checked.hpp"

namespace groma {

Wakeup::Wakeup() : fd_(checked("create an eventfd", ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC))) {}

void Wakeup::notify() noexcept {
    const int errno_before = errno;  // a signal handler must not change it
    ::eventfd_write(fd_.get(), 1);   // fails only if the counter is full: then it is readable already
    errno = errno_before;
}

bool Wakeup::clear() noexcept {
    eventfd_t count = 0;
    return ::eventfd_read(fd_.get(), &count) == 0;
}

}  // namespace groma
