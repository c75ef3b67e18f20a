// The programs of a history: what their main functions do, on the hosts of a simulated world.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/control/audit.hpp"
#include "common/shipping/protocol/shipping_limits.hpp"
#include "logserver/log_server_settings.hpp"
#include "sender/report/run_report.hpp"
#include "tests/world/world.hpp"

namespace groma::world {

/// A program that is started again when it ends, as an init system does, until it is to stop.
struct Daemon {
    std::string program{};
    Host* host = nullptr;
    std::function<void()> main{};
    Process* process = nullptr;
    std::function<void()> stop{};  ///< of the program that runs; empty: it does not serve
    std::size_t at_rest = 0;       ///< descriptors without any client
};

/// A request to stop ends a program within this time, whatever the troubles.
constexpr Nanos kPatience = std::chrono::seconds(200);

/// A seed's choices for a history.
struct Settings {
    SyncPolicy sync = SyncPolicy::interval;
    std::string transport = "tcp";           ///< of the sender's log
    std::string receiver_transport = "tcp";  ///< of the receiver's log
    bool sender_ships = true;                ///< its log, to the log server; otherwise it keeps it
    bool receiver_ships = true;
    std::size_t receiver_sessions = 64;  ///< at most at a time
    std::size_t log_sessions = 256;
    ShippingLimits shipping{};
    std::filesystem::path keys{};  ///< whose folders hold those that peers must prove; empty: they need none
};

/// A run of groma-send.
struct Run {
    Host* from = nullptr;
    std::filesystem::path experiment;    ///< its file
    Process* process = nullptr;          ///< once it has begun
    std::optional<SendReport> report{};  ///< once it has ended
};

class Programs {
public:
    /// Makes hosts alpha, beta, gamma and delta: of the sender, the receiver, the log server and others. `tell` takes a
    /// line of the story.
    Programs(World& world, std::function<void(const std::string&)> tell);
    Programs(const Programs&) = delete;
    Programs& operator=(const Programs&) = delete;

    void start_daemon(Daemon& daemon);
    /// Requires: it runs.
    void kill(Daemon& daemon);
    /// The host boots, and its daemon, if it has one, begins.
    void boot(Host& host);
    /// Both daemons are asked to stop, and are not started again.
    void stop(Nanos patience);
    /// Asks a daemon that serves to stop, as SIGTERM does; it must end in that time. Returns: whether it serves.
    bool ask_to_stop(Daemon& daemon, Nanos patience = kPatience);
    /// Asks the sender: once to end its flows, twice to give up.
    void interrupt(const Process& sender, Nanos patience = kPatience);

    void send(Run& run);
    /// A second log server on gamma, in the folder of the first, until it ends by itself or is killed.
    Process& serve_logs_twice();
    /// A stranger on delta, until it is killed.
    Process& be_stranger(std::uint64_t seed);
    /// groma-send --resume-spool, until nothing is left or ten attempts have failed.
    Process& resume();

    /// Descriptors without a daemon's spare one, which it may have had to give up.
    [[nodiscard]] static std::size_t descriptors(const Process& process);

    void tell(const std::string& line) { tell_(line); }
    /// Whether the daemons ask for keys.
    [[nodiscard]] bool is_keyed() const { return not settings.keys.empty(); }

    /// Programs that ran for longer than that after a request to stop.
    std::vector<std::string> deaf;
    /// Whom the daemons have let in although they ask for keys and it has not the one for this.
    std::vector<std::string> intruders;

    Settings settings;
    Host& alpha;
    Host& beta;
    Host& gamma;
    Host& delta;
    Daemon receiver;
    Daemon log_server;

private:
    Process& start(Host& host, const std::string& program, std::function<void()> main);
    void hear(const std::string& line);
    void judge(const AuditEvent& event);
    void receive();
    [[nodiscard]] LogServerSettings log_settings();
    void serve_logs();
    void note_torn_tails(const Host& host);
    void expect_end(const Process& process, Nanos patience);
    void serve(Daemon& daemon, std::function<void()> stop, const std::function<void()>& run);

    World& world_;
    std::function<void(const std::string&)> tell_;
    bool stopping_ = false;
    std::map<const Process*, unsigned> interrupts_;
};

}  // namespace groma::world
