// Closes a socket when what is being done with it takes too long, so that no coroutine waits for ever.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>

#include "common/time/instant.hpp"

namespace groma {

/// Watches from construction to destruction. The socket outlives it. Thread: the one of the socket's io_context.
class Watchdog {
public:
    Watchdog(boost::asio::ip::tcp::socket& socket, Nanos limit);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() { watched_->socket = nullptr; }

    /// True when the limit passed and the socket was closed for it.
    [[nodiscard]] bool fired() const { return watched_->fired; }

private:
    struct Watched {
        boost::asio::ip::tcp::socket* socket;
        bool fired;
    };
    /// Shared with the timer's handler, which can still be queued when this object and the socket are gone.
    std::shared_ptr<Watched> watched_;
    boost::asio::steady_timer timer_;
};

}  // namespace groma
