// Wakes a thread that waits on file descriptors (eventfd). A call before the wait is not lost; several count as one.
#pragma once

#include "common/os/file_descriptor.hpp"

namespace groma {

class Wakeup {
public:
    /// Throws: SystemError.
    Wakeup();

    /// Makes fd() readable. Thread: any, and signal handlers.
    void notify() noexcept;

    /// Makes fd() unreadable again. Returns: whether notify() was called since the last time. Never blocks.
    bool clear() noexcept;

    [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
    FileDescriptor fd_;
};

}  // namespace groma
