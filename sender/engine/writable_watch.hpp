// Waiting for sockets whose buffers are full, or on which replies are to come.
#pragma once

#include <poll.h>

#include <span>

#include "common/time/instant.hpp"

namespace groma {

class WritableWatch {
public:
    WritableWatch() = default;
    WritableWatch(const WritableWatch&) = delete;
    WritableWatch& operator=(const WritableWatch&) = delete;
    virtual ~WritableWatch() = default;

    /// Returns when a socket has what its `events` ask for or has failed (its `revents` are not 0), or after `limit`,
    /// which may be 0; may return early on a signal. Packet path.
    virtual void wait(std::span<pollfd> sockets, Nanos limit) noexcept = 0;
};

/// Uses ppoll, whose timers are as precise as those of a sleep.
class PollWatch final : public WritableWatch {
public:
    void wait(std::span<pollfd> sockets, Nanos limit) noexcept override;
};

}  // namespace groma
