// A rank that receives: the receiver daemon (receiver/receiver_server.hpp) on a thread of its own.
#pragma once

#include <thread>

#include "mpi/world/outbox.hpp"
#include "receiver/receiver_server.hpp"

namespace groma {

/// Says "closed" when it has ended, with an error if that was not asked for. Thread: its owner's.
class ReceiverRole {
public:
    /// Listens from now on. Outbox and clock outlive the role. Throws: SystemError.
    ReceiverRole(ReceiverServerOptions options, Outbox& outbox, Clock& clock);
    ReceiverRole(const ReceiverRole&) = delete;
    ReceiverRole& operator=(const ReceiverRole&) = delete;
    ~ReceiverRole();

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

    /// Ends sessions that still go on, closes their logs.
    void stop() { server_.stop(); }

private:
    ReceiverServer server_;
    Outbox& outbox_;
    std::thread thread_;
};

}  // namespace groma
