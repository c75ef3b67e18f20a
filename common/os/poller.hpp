// Waits on many file descriptors at once (epoll, level-triggered). Owns only its own descriptor. Thread: one; other
// threads may wake it through an added Wakeup.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "common/os/file_descriptor.hpp"
#include "common/time/instant.hpp"

namespace groma {

enum class Interest : std::uint8_t { read, write, read_and_write };

/// A descriptor that is ready.
struct Ready {
    std::uint64_t token = 0;  ///< as given to add()
    bool readable = false;    ///< also at the end of a stream and on errors: read() shows which
    bool writable = false;    ///< also on errors
};

class Poller {
public:
    /// Throws: SystemError.
    Poller();

    /// wait() returns `token` in Ready. Closing a descriptor removes it. Throws: SystemError, also if it was added
    /// before.
    void add(int fd, std::uint64_t token, Interest interest = Interest::read);
    /// Throws: SystemError if it was not added.
    void change(int fd, std::uint64_t token, Interest interest);
    /// Ignores a descriptor that was not added, or was closed.
    void remove(int fd) noexcept;

    /// Waits until at least one descriptor is ready, for at most `limit` (rounded up to milliseconds; empty: for ever),
    /// or until a signal arrives. Returns: ready descriptors, at most 64; the others follow next time. Valid until the
    /// next call.
    [[nodiscard]] std::span<const Ready> wait(std::optional<Nanos> limit) noexcept;

    /// Can be read while a descriptor is ready, so that another poller can wait for all of them.
    [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
    static constexpr std::size_t kBatch = 64;

    FileDescriptor fd_;
    std::array<epoll_event, kBatch> events_{};
    std::array<Ready, kBatch> ready_{};
};

}  // namespace groma
