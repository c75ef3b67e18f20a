// Wakes a thread that waits on file descriptors (eventfd). Calls before the wait are not lost; several count as one.
#pragma once

#include "common/os/file_descriptor.hpp"

namespace groma {

class Wakeup {
public:
    /// Throws: SystemError.
    Wakeup();

    /// Makes fd() readable. Thread: any, also a signal handler.
    void notify() noexcept;

    /// Makes fd() unreadable again. Returns: whether there was a notify() since the last time. Never blocks.
    bool clear() noexcept;

    [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
    FileDescriptor fd_;
};

}  // namespace groma
