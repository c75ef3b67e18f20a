// A rank that keeps the logs of the others: the log server (logserver/log_server.hpp) on a thread of its own.
#pragma once

#include <thread>

#include "common/time/clock.hpp"
#include "logserver/log_server.hpp"
#include "mpi/world/mpi_carrier.hpp"
#include "mpi/world/outbox.hpp"

namespace groma {

/// Says "log_server_closed" when it has ended. Thread: its owner's.
class LogServerRole {
public:
    /// Listens from now on, over the network and MPI. World, outbox and clock outlive the role.
    /// Throws: UsageError, SystemError, RunError.
    LogServerRole(LogServerSettings settings, MpiWorld& world, Outbox& outbox, Clock& clock);
    LogServerRole(const LogServerRole&) = delete;
    LogServerRole& operator=(const LogServerRole&) = delete;
    ~LogServerRole();

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

    void stop() { server_.stop(); }

private:
    LogServer server_;
    MpiCarrier carrier_;
    Outbox& outbox_;
    std::thread thread_;
};

}  // namespace groma
