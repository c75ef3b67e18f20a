// Closes a socket when what is being done with it takes too long, so that no coroutine waits for ever.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "common/control/timer.hpp"

namespace groma {

/// Watches from construction to destruction. Only time that this program lived through counts: the limit is waited for
/// in parts, of which one that the whole host slept through takes no more than itself. So a peer that was held up
/// together with this program is heard before it is called silent. Socket and clock outlive it. Thread: the one of the
/// socket's io_context.
class Watchdog {
public:
    Watchdog(boost::asio::ip::tcp::socket& socket, Nanos limit, Clock& clock);
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog() { *self_ = nullptr; }

    /// True when the limit passed and the socket was closed for it.
    [[nodiscard]] bool fired() const { return parts_left_ == 0; }

private:
    void wait_for_a_part();
    void end_a_part();

    static constexpr int kParts = 4;

    boost::asio::ip::tcp::socket& socket_;
    Timer timer_;
    Nanos part_;
    int parts_left_ = kParts;
    /// Shared with the timer's handler, which can still be queued when this object and the socket are gone.
    std::shared_ptr<Watchdog*> self_ = std::make_shared<Watchdog*>(this);
};

}  // namespace groma
