// The receiver daemon: listens for control connections, serves a session on each, and receives their flows.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/access/key_files.hpp"
#include "common/access/key_source.hpp"
#include "common/control/audit.hpp"
#include "common/control/messages.hpp"
#include "common/control/reach.hpp"
#include "common/http/web_options.hpp"
#include "common/net/channel/gro.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/signal_line.hpp"
#include "common/shipping/protocol/log_server_address.hpp"
#include "common/shipping/shipper/key_logs.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "common/time/clock.hpp"
#include "common/wire/log_block.hpp"
#include "receiver/receive_threads.hpp"
#include "receiver/receiver_session.hpp"
#include "receiver/reverse_desk.hpp"

namespace groma {

/// The sender to dial, if it cannot reach this host (docs/guide/nat.md).
struct DialOptions {
    std::string host;
    std::uint16_t port = kDialPort;
    std::string name;   ///< this receiver's name in the sender's flows
    bool once = false;  ///< the server stops after a session that received packets
    Nanos keepalive_interval = std::chrono::seconds(10);
    std::optional<OfferedKey> key{};      ///< to prove to the sender; nothing: none
    std::optional<AskedSession> asked{};  ///< the only session to take; nothing: any
};

struct ReceiverServerOptions {
    std::vector<SocketAddress> listen;  ///< all on one port; 0: the kernel chooses it; none with `dial`
    std::optional<DialOptions> dial;    ///< instead of listening
    Reach reach;
    KeySource keys;  ///< of those that senders must prove one of
    std::filesystem::path log_dir = ".";
    NamedLogServers log_servers{};  ///< to which senders may have it ship logs
    bool replace_logs = false;      ///< allow senders to replace logs of earlier runs in log_dir
    std::size_t max_sessions = 64;
    std::optional<std::size_t> max_per_host;  ///< sessions per host; empty: the default share
    std::size_t max_flows = 100'000;          ///< in one session
    std::optional<PortRange> data_ports;      ///< for flows; empty: any
    SignalLine* signal_line = nullptr;        ///< raised for each packet; outlives the server
    ReceiveThreads threads{.count = 1};
    GroMode gro = GroMode::automatic;  ///< for flows over UDP
    /// Records in the queue to the log, per session and receiving thread; fewer if there are few packets.
    std::size_t queue_records = std::size_t{1} << 19U;
    std::size_t block_records = kMaxBlockRecords;  ///< records per block of a log
    SessionTimes times{};
    /// Takes one line per event. Thread: that of run(), and those that ship logs.
    std::function<void(const std::string&)> say = [](const std::string&) {};
    Audit audit{};
    std::filesystem::path spool;                  ///< for logs on their way to a log server; empty: memory only
    std::shared_ptr<SpoolBudget> spool_budget{};  ///< for that folder; null: private to the sessions
    std::shared_ptr<KeyLogs> key_logs = std::make_shared<KeyLogs>();  ///< of the program
    /// The sender gets its results only after the log is shipped or left in the spool.
    ShippingLimits shipping{.times = TimeLimits().receiver_shipping};
    /// Ships logs over MPI; null: such logs are refused. Outlives the server.
    LogShipper* shipper = nullptr;
    LookUpName look_up = look_up_name;         ///< for log servers, on its own threads
    OfferKey offer = offers_of(std::nullopt);  ///< of a key to log servers
    std::vector<SocketAddress> metrics{};      ///< where to answer with metrics; empty: nowhere
    WebFiles web{};                            ///< for pages that other hosts may ask for
    std::vector<SocketAddress> page{};         ///< where to show the live page; empty: nowhere
    OpenReverseDesk reverse{};                 ///< for peers that ask this host to send; null: they are refused
    std::optional<Nanos> live;                 ///< interval of calls to `live_line`
    /// Takes lines, without the end of the last one.
    std::function<void(const std::string&)> live_line = [](const std::string&) {};
};

class ReceiverServer {
public:
    /// Binds and listens, except with `dial`. The clock outlives the server. Throws: SystemError; for the keys, as
    /// read_key_folder().
    ReceiverServer(ReceiverServerOptions options, Clock& clock);
    ReceiverServer(const ReceiverServer&) = delete;
    ReceiverServer& operator=(const ReceiverServer&) = delete;
    ~ReceiverServer();

    /// The addresses that it listens on; empty if it dials.
    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;
    [[nodiscard]] std::uint16_t port() const { return addresses().empty() ? 0 : addresses().front().port(); }

    /// Makes SIGINT and SIGTERM call stop(), and SIGHUP read the keys again, if there are any. A service manager hears
    /// that it is ready, and that it works (Supervision).
    void stop_on_signals();

    /// Serves until stop(), then returns when all sessions have ended and their logs are closed. Call once.
    void run();

    /// Ends all sessions cleanly. Thread: any.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
