#include "sender/engine/writable_watch.hpp"

#include <ctime>

namespace groma {

void PollWatch::wait(std::span<pollfd> sockets, Nanos limit) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = (limit - seconds).count()};
    if (::ppoll(sockets.data(), sockets.size(), &timeout, nullptr) < 0) {
        // EINTR or no memory: the sockets' state is unknown; the worker retries.
        for (pollfd& socket : sockets) {
            socket.revents = 0;
        }
    }
}

}  // namespace groma
