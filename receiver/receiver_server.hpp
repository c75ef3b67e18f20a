// The receiver daemon as an object: listens for control connections, serves a session on each, receives their flows.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "common/net/channel/gro.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/signal_line.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/time/clock.hpp"
#include "common/wire/log_block.hpp"
#include "receiver/receive_threads.hpp"

namespace groma {

/// A sender that is dialled, because it cannot reach this host (docs/guide/nat.md).
struct DialOptions {
    std::string host;
    std::uint16_t port = kDialPort;
    std::string name;   ///< what the sender's flows call this receiver
    bool once = false;  ///< the server stops when one session has received something
    Nanos keepalive_interval = std::chrono::seconds(10);
};

struct ReceiverServerOptions {
    std::vector<SocketAddress> listen;  ///< all on one port; 0: the kernel chooses it; none with `dial`
    std::optional<DialOptions> dial;    ///< instead of listening
    std::filesystem::path log_dir = ".";
    bool replace_logs = false;  ///< of earlier runs, in log_dir
    std::size_t max_sessions = 64;
    std::optional<std::size_t> max_per_host;  ///< of the sessions; nothing: the usual share
    std::size_t max_flows = 100'000;          ///< in one session
    std::optional<PortRange> data_ports;      ///< that flows may have; nothing: any
    SignalLine* signal_line = nullptr;        ///< raised for each packet that comes; outlives the server
    ReceiveThreads threads{.count = 1};
    GroMode gro = GroMode::automatic;  ///< of flows over UDP
    /// Room for records on their way to the log, for each session and receiving thread; less is taken for few packets.
    std::size_t queue_records = std::size_t{1} << 19U;
    std::size_t block_records = kMaxBlockRecords;  ///< in a block of a log
    SessionTimes times{};
    /// A line for each event. Thread: the one of run(), and those that ship logs.
    std::function<void(const std::string&)> say = [](const std::string&) {};
    std::filesystem::path spool;  ///< of logs on their way to a log server; empty: they are kept in memory only
    std::shared_ptr<SpoolBudget> spool_budget{};  ///< of that folder; null: of the sessions alone
    /// A sender waits for its results until the log is shipped or left in the spool.
    ShippingLimits shipping{.times = TimeLimits().receiver_shipping};
    /// Takes the logs that are to go over MPI; null: they are refused. Outlives the server.
    LogShipper* shipper = nullptr;
    LookUpName look_up = look_up_name;  ///< of log servers, on threads of their own
    std::optional<Nanos> live;          ///< so often, `live_line` is called
    std::function<void(const std::string&)> live_line = [](const std::string&) {};
};

class ReceiverServer {
public:
    /// Binds and listens, unless it is to dial. The clock outlives the server. Throws: SystemError.
    ReceiverServer(ReceiverServerOptions options, Clock& clock);
    ReceiverServer(const ReceiverServer&) = delete;
    ReceiverServer& operator=(const ReceiverServer&) = delete;
    ~ReceiverServer();

    /// Where it listens; nowhere if it dials.
    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;
    [[nodiscard]] std::uint16_t port() const { return addresses().empty() ? 0 : addresses().front().port(); }

    /// SIGINT and SIGTERM call stop() from now on.
    void stop_on_signals();

    /// Serves until stop(), then returns when all sessions have ended and their logs are closed. Call once.
    void run();

    /// Ends all sessions in order. Thread: any.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
