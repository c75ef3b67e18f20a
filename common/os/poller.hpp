// Waits on many file descriptors at once (epoll, level-triggered). Owns no descriptor but its own. Thread: one, except
// that other threads may wake it through a Wakeup that was added.
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

/// A descriptor on which something can be done.
struct Ready {
    std::uint64_t token = 0;  ///< what the descriptor was added with
    bool readable = false;    ///< also at the end of a stream and on errors: reading tells which
    bool writable = false;    ///< also on errors
};

class Poller {
public:
    /// Throws: SystemError.
    Poller();

    /// `token` comes back in Ready. A descriptor that is closed leaves by itself. Throws: SystemError, also when it was
    /// added before.
    void add(int fd, std::uint64_t token, Interest interest = Interest::read);
    /// Throws: SystemError when it was not added.
    void change(int fd, std::uint64_t token, Interest interest);
    /// One that was not added, or was closed, is no error.
    void remove(int fd) noexcept;

    /// Waits for at least one descriptor, at most `limit` (rounded up to milliseconds; without one, for ever), or until
    /// a signal comes. Returns: what is ready, at most 64 at a time, the others next time; valid until the next call.
    [[nodiscard]] std::span<const Ready> wait(std::optional<Nanos> limit) noexcept;

private:
    static constexpr std::size_t kBatch = 64;

    FileDescriptor fd_;
    std::array<epoll_event, kBatch> events_{};
    std::array<Ready, kBatch> ready_{};
};

}  // namespace groma
