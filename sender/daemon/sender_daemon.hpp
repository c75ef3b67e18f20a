// groma-send --daemon: executes runs for groma-send --via on other hosts, several at once (docs/guide/daemon.md).
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/access/key_source.hpp"
#include "common/control/audit.hpp"
#include "common/http/web_options.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/thread_maker.hpp"
#include "common/time/clock.hpp"
#include "sender/daemon/run_request.hpp"

namespace groma {

struct SenderDaemonOptions {
    std::vector<SocketAddress> listen;  ///< all on one port; 0: the kernel chooses it
    KeySource keys{};                   ///< of those that clients must prove one of
    std::string serves{};               ///< Reach::in_words()
    /// The daemon was started by its only client, and ends when there is nothing more to read from this: -1: neither.
    /// It sends for that client also to receivers that prove no key, as the client itself could here.
    int leash = -1;
    std::size_t max_runs = 4;  ///< at once
    DaemonLimits limits;
    std::size_t max_connections = 64;
    SessionTimes times{};  ///< for clients and for runs
    ShippingTimes shipping{};
    std::uint64_t spool_bytes = ShippingLimits().spool_bytes;  ///< of all runs together, and of what they leave
    ThreadMaker make_thread = groma::make_thread;              ///< of each run
    LookUpName look_up = look_up_name;                         ///< for receivers and log servers, on its own threads
    /// Takes one line per event. Thread: that of run().
    std::function<void(const std::string&)> say = [](const std::string&) {};
    Audit audit{};
    std::vector<SocketAddress> metrics{};  ///< where to answer with metrics; empty: nowhere
    WebFiles web{};                        ///< for pages that other hosts may ask for
    std::vector<SocketAddress> page{};     ///< where to show the live page; empty: nowhere
};

class SenderDaemon {
public:
    /// Binds and listens. The clock outlives the daemon. Throws: SystemError; for the keys, as read_key_folder().
    SenderDaemon(SenderDaemonOptions options, Clock& clock);
    SenderDaemon(const SenderDaemon&) = delete;
    SenderDaemon& operator=(const SenderDaemon&) = delete;
    ~SenderDaemon();

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;

    /// Makes SIGINT and SIGTERM call stop(), and SIGHUP read the keys again, if there are any. A service manager hears
    /// that it is ready, and that it works (Supervision).
    void stop_on_signals();

    /// Serves until stop() is called and all runs have ended. Call once. Thread: its caller's, and one per active run.
    void run();

    /// Stops all runs as a user's Ctrl-C would. Thread: any.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
