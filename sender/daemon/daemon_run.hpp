// One run of the daemon: send_run() on a thread of its own, and its client on the daemon's.
#pragma once

#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <optional>
#include <string>
#include <thread>

#include "common/control/connection.hpp"
#include "common/control/task_group.hpp"
#include "common/control/timer.hpp"
#include "common/net/socket/resolver.hpp"
#include "common/os/thread_maker.hpp"
#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/daemon/daemon_metrics.hpp"
#include "sender/daemon/remote_run.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/run/awaited_start.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

/// What a run needs of its daemon. All outlives the run.
struct DaemonRunPlace {
    boost::asio::io_context& io;
    ThreadMaker make_thread;
    Resolver& resolver;
    Clock& clock;
    RunBoard* board = nullptr;  ///< null: there is none
};

/// Thread: the io_context's, except where it says otherwise. The object outlives its serve().
class DaemonRun {
public:
    /// `run_id`, `sender`: as in RunRequest.
    DaemonRun(const DaemonRunPlace& place, SenderOptions options, std::string run_id = {}, std::string sender = {});
    DaemonRun(const DaemonRun&) = delete;
    DaemonRun& operator=(const DaemonRun&) = delete;
    ~DaemonRun();

    /// Accepts, makes the run, tells the client all that happens. A client that goes away stops its run. Returns when
    /// the run is over. Does not throw for what the client or the run does. Throws: SystemError when the run has no
    /// thread; then nothing was accepted.
    boost::asio::awaitable<void> serve(ControlConnection& connection, const RunAccepted& accepted);

    /// As when a user presses Ctrl-C: the first ends the flows, the second the waiting for results.
    void request_stop();

    [[nodiscard]] const std::string& log() const { return options_.log; }
    [[nodiscard]] SentSoFar so_far() const { return live_.so_far(); }
    // Requires: serve() has returned.
    [[nodiscard]] std::string end_in_words() const;
    [[nodiscard]] EndedRuns outcome() const;

private:
    void make_run() noexcept;                  ///< on the run's thread
    void post_message(DaemonMessage message);  ///< on the run's thread
    [[nodiscard]] std::optional<SharedRun> shared_run();
    void take(const DaemonMessage& message, const std::string& peer);
    boost::asio::awaitable<void> listen(ControlConnection& connection);
    boost::asio::awaitable<void> keep_alive(ControlConnection& connection);
    boost::asio::awaitable<void> tell(ControlConnection& connection);
    boost::asio::awaitable<void> report(ControlConnection& connection, bool json);
    boost::asio::awaitable<void> write(ControlConnection& connection, const DaemonMessage& message);

    boost::asio::io_context& io_;
    SenderOptions options_;
    std::string run_id_;
    std::string sender_;
    ThreadMaker make_thread_;
    Resolver& resolver_;
    Clock& clock_;
    RunBoard* board_;
    std::string client_;                       ///< its host
    ControlConnection* connection_ = nullptr;  ///< to it, while it is served
    std::atomic<unsigned> stop_requests_{0};
    AwaitedStart start_;  ///< of a part of a run
    LiveRun live_;
    RunOutput output_;   ///< of the run's thread, until it has posted that it is over
    EndedRuns figures_;  ///< likewise
    std::deque<DaemonMessage> news_;
    Condition news_came_;  ///< notified when there are news or the run is over
    Timer beat_;           ///< between two keep-alives
    TaskGroup tasks_;
    bool over_ = false;
    bool client_gone_ = false;
    std::string ended_;   ///< why it went, if the daemon sends it away: it is told when the run is over
    bool told_ = false;   ///< all but the last message
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace groma
