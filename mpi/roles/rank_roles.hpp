// What a rank does in a run: receive, keep logs, send. Each role runs on a thread of its own and belongs to one thread.
#pragma once

#include <atomic>
#include <thread>

#include "common/time/clock.hpp"
#include "logserver/log_server.hpp"
#include "mpi/world/mpi_carrier.hpp"
#include "mpi/world/outbox.hpp"
#include "receiver/receiver_server.hpp"
#include "sender/run/awaited_start.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

/// The receiver daemon. Says "closed" when it has ended, with an error if that was not asked for. Thread: its owner's.
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

/// The log server, over the network and MPI. Says "log_server_closed" when it has ended. Thread: its owner's.
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

/// One run of the sender, started with the others'. Says "ready" when it could start, "progress" and "so_far" while it
/// sends, "counted" when only its log is to be closed, and "sent" at its end. Thread: its owner's.
class SenderRole {
public:
    struct Run {
        std::string run_id;
        std::string sender;             ///< what this one is called
        LogShipper* shipper = nullptr;  ///< for its log; outlives the role; null: none
    };
    /// Outbox and clock outlive the role.
    SenderRole(SenderOptions options, Run run, Outbox& outbox, Clock& clock);
    SenderRole(const SenderRole&) = delete;
    SenderRole& operator=(const SenderRole&) = delete;
    /// Stops it, if it has not ended.
    ~SenderRole();

    /// The instant that all senders agreed on, on this host's clock.
    void start_at(MonoTime start);
    /// 1 ends the flows, 2 the waiting for results as well. A lower level than an earlier one changes nothing.
    void stop(unsigned level);

private:
    void run() noexcept;

    SenderOptions options_;
    Run run_;
    Outbox& outbox_;
    Clock& clock_;
    std::atomic<unsigned> stop_requests_{0};
    AwaitedStart start_;
    std::thread thread_;
};

}  // namespace groma
