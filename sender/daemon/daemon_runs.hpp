// The runs that a program makes for clients on other hosts, several at once: groma-send --daemon (sender_daemon.hpp).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/access/key_loads.hpp"
#include "common/control/audit.hpp"
#include "common/control/awaited_call.hpp"
#include "common/control/connection.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/thread_maker.hpp"
#include "common/page/run_board.hpp"
#include "common/shipping/shipper/key_logs.hpp"
#include "common/time/clock.hpp"
#include "sender/daemon/daemon_metrics.hpp"
#include "sender/daemon/daemon_run.hpp"
#include "sender/daemon/daemon_session.hpp"
#include "sender/daemon/run_request.hpp"

namespace groma {

struct DaemonRunsOptions {
    std::size_t max_runs = 4;  ///< at once
    DaemonLimits limits;
    std::string who = "daemon";  ///< makes the runs
    std::string serves{};        ///< as in SendReport
    bool of_client = false;      ///< SenderDaemonOptions::leash
    std::string max_runs_option = "groma-send --daemon --max-runs N";
    SessionTimes times{};  ///< for clients and for runs
    ShippingTimes shipping{};
    std::shared_ptr<SpoolBudget> spool_budget{};                      ///< of logs of all runs; null: each has its own
    std::shared_ptr<KeyLogs> key_logs = std::make_shared<KeyLogs>();  ///< of the program
    ThreadMaker make_thread = groma::make_thread;                     ///< of each run
    /// Takes one line per event.
    std::function<void(const std::string&)> say = [](const std::string&) {};
    Audit audit{};
    RunBoard* board = nullptr;  ///< of the live page; null: there is none. Outlives the runs
};

/// Thread: the io_context's.
class DaemonRuns {
public:
    /// All but the options outlive the runs.
    DaemonRuns(DaemonRunsOptions options, boost::asio::io_context& io, Resolver& resolver, Clock& clock);

    /// Serves a client from its greeting to the end of its run, and closes the connection. `refusal`: why it is not
    /// served; empty: it is. Does not throw for what the client or the run does.
    boost::asio::awaitable<void> serve(ControlConnection& connection, std::string refusal = {});

    /// Gives the connection of a receiver that calls in to the run that awaits it under `name`. Returns: why not;
    /// empty: it was given.
    [[nodiscard]] std::string take_call(ControlConnection& connection, const std::string& name);

    [[nodiscard]] const DaemonCounts& counts() const { return counts_; }
    [[nodiscard]] std::size_t open_runs() const { return runs_.size(); }
    /// By all runs.
    [[nodiscard]] SentSoFar so_far() const;

    /// Takes no more runs, and ends those that there are as a user's Ctrl-C would.
    void stop();

private:
    /// Of the client's receiver, of a run in reverse.
    struct Call {
        std::string name;  ///< drawn for this run
        SocketAddress from;
        std::string key{};                     ///< of the client; empty: none
        std::shared_ptr<AwaitedCall> there{};  ///< null: not awaited
    };

    /// A run among the others, from its admission to its end, whatever that is.
    class Place {
    public:
        Place(DaemonRuns& all, DaemonRun& run, KeyLoads::Share share, Call call)
            : all_(all), run_(run), share_(std::move(share)), log_(run.log()), call_(call.name) {
            all_.runs_.insert(&run_);
            all_.logs_.insert(log_);
            if (call.there != nullptr) {
                all_.calls_.emplace(call_, std::move(call));
            }
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() {
            all_.calls_.erase(call_);
            all_.logs_.erase(log_);
            all_.runs_.erase(&run_);
        }

    private:
        DaemonRuns& all_;
        DaemonRun& run_;
        KeyLoads::Share share_;
        std::string log_;
        std::string call_;
    };

    boost::asio::awaitable<void> gather(ControlConnection& connection, DaemonSession& session) const;
    boost::asio::awaitable<void> run_for(ControlConnection& connection);
    /// Throws: NoRoomForRun.
    void expect_room() const;
    /// `why`: it is refused; empty: it is allowed.
    void audit(const ControlConnection& connection, const std::string& experiment, const std::string& why) const;
    /// Returns: what the run has of its client's key. Throws: RunError when that does not allow what it asks for.
    [[nodiscard]] KeyLoads::Share bound(const std::optional<Grant>& grant, SenderOptions& asked);
    [[nodiscard]] std::unique_ptr<DaemonRun> admit(const RunRequest& request, SenderOptions asked);

    DaemonRunsOptions options_;
    RefusalLines refusal_lines_;
    boost::asio::io_context& io_;
    Resolver& resolver_;
    Clock& clock_;
    std::set<ControlConnection*> asking_;  ///< of clients that have not asked for their run yet
    std::set<DaemonRun*> runs_;
    KeyLoads key_loads_;
    std::set<std::string> logs_;  ///< files that runs are writing
    std::map<std::string, Call> calls_;
    DaemonCounts counts_;
    bool stopping_ = false;
};

}  // namespace groma
