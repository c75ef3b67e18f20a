// One control session from its first message to its last: drives the ReceiverSession and carries its actions out. When
// the sender is gone, whatever the reason, its flows end and its log is closed; other sessions do not notice.
// Thread: the control thread; the log is opened, written and closed on a thread of the session's own.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "common/control/audit.hpp"
#include "common/control/connection.hpp"
#include "common/control/task_group.hpp"
#include "common/control/timer.hpp"
#include "common/os/usage.hpp"
#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"
#include "common/time/step_watch.hpp"
#include "receiver/log_target.hpp"
#include "receiver/posted_run.hpp"
#include "receiver/receiver_metrics.hpp"
#include "receiver/receiver_session.hpp"
#include "receiver/receiving_run.hpp"
#include "receiver/reverse_desk.hpp"
#include "receiver/run_log.hpp"

namespace groma {

/// What all sessions of a receiver share. Outlives them.
struct SessionEnvironment {
    Clock& clock;
    const ReceiveWorkers& workers;
    LogShippers& log_shippers;
    LeftLogs& left_logs;
    Welcome identity;
    SessionLimits limits;
    LogPlace log_place;
    std::optional<PortRange> data_ports{};  ///< that flows may have; nothing: any
    SignalLine* signal_line = nullptr;      ///< raised for each packet that comes
    ReverseDesk* reverse = nullptr;         ///< there with SessionLimits::reverse
    GroMode gro = GroMode::automatic;
    std::size_t queue_records = 0;
    std::size_t block_records = 0;
    Nanos keep_alive_interval{0};
    Nanos keepalive_interval{0};                  ///< of flows that were dialled, while they run
    std::string served{};                         ///< Reach::in_words(); empty: it dials
    std::function<void(const std::string&)> say;  ///< a line for whoever runs the receiver
    RefusalLines& refusal_lines;
    ReceiverCounts& counts;
    TimeHistogram* delays = nullptr;  ///< of all runs, for metrics; null: nobody asks for them
    Audit audit{};
    RunBoard* board = nullptr;              ///< of the live page; null: there is none
    WatchedFlows* watched_flows = nullptr;  ///< there with a board
};

class SessionServer {
public:
    /// `share` as ReceiverSession has it.
    SessionServer(ControlConnection connection, KeyLoads::Share share, const SessionEnvironment& environment,
                  boost::asio::any_io_executor executor);
    SessionServer(const SessionServer&) = delete;
    SessionServer& operator=(const SessionServer&) = delete;
    ~SessionServer();

    /// Returns when the session is over and everything is closed. Does not throw for what a peer or a disk does.
    boost::asio::awaitable<void> serve();
    /// Whether packets were received: the session came so far. Requires: serve() has returned.
    [[nodiscard]] bool ran() const { return phase_ == Phase::ended; }

    /// The receiver is to stop: ends the session in order; serve() then returns. A second call does nothing.
    void interrupt();

    /// What was received so far, and how many flows are being received now.
    [[nodiscard]] FlowCounts counts() const;
    [[nodiscard]] std::size_t flows() const { return receiving() ? run_.flows() : 0; }
    /// Each of those flows; none if they are very many.
    [[nodiscard]] std::vector<FlowSoFar> each_flow() const {
        return receiving() ? run_.progress(true).flows : std::vector<FlowSoFar>{};
    }
    /// The next row on the board, if there is one and packets are being received.
    void post_row() {
        if (posted_) {
            posted_->post_row();
        }
    }
    [[nodiscard]] const std::string& peer() const { return connection_.peer(); }

private:
    enum class Phase : std::uint8_t { before, receiving, ended };

    boost::asio::awaitable<void> converse();
    boost::asio::awaitable<void> keep_alive();
    boost::asio::awaitable<void> punch_on();
    /// Returns: false when the session is over.
    boost::asio::awaitable<bool> obey(SessionAction action, WallTime received);
    boost::asio::awaitable<bool> refuse(const Refused& refused);
    boost::asio::awaitable<bool> pass_on(const TakeCall& call);
    boost::asio::awaitable<bool> open(const OpenInboxes& inboxes);
    boost::asio::awaitable<bool> begin(const Start& start);
    boost::asio::awaitable<void> sample_connections();
    boost::asio::awaitable<void> finish(Finish finish);
    boost::asio::awaitable<bool> resume(const ResumeLog& log);
    boost::asio::awaitable<bool> answer_of_log(boost::asio::awaitable<Message> made);
    boost::asio::awaitable<ReceiverResults> end_run(const std::string& end, const std::vector<SentFlow>& sent = {});
    void count(const ReceiverResults& results);

    [[nodiscard]] bool receiving() const { return phase_ == Phase::receiving; }
    void leave();
    void detect_step();
    void say(const std::string& text) const;
    /// `why`: it is refused; empty: it is allowed. `subject`: the experiment, or the log that is fetched.
    void audit(const std::string& why, const std::string& subject) const;

    ControlConnection connection_;
    const SessionEnvironment& environment_;
    ReceiverSession session_;
    LogTarget target_;
    RunLog log_;
    ReceivingRun run_;                 ///< behind the log, whose queues its flows fill
    std::optional<PostedRun> posted_;  ///< while packets are received, if there is a board
    Timer pause_;                      ///< of the keep-alives
    Timer punch_pause_;                ///< between two punches
    Nanos next_punch_pause_{0};
    Timer arrival_pause_;  ///< between two looks whether all has arrived
    Timer sample_pause_;   ///< between two samples of connections
    TaskGroup tasks_;
    StepWatch step_watch_;
    std::vector<LogEvent> events_;  ///< of the run, so far
    CpuUsage usage_before_{};       ///< of the process, before the run
    MonoTime started_{};            ///< when the flows began to be received
    Phase phase_ = Phase::before;
    bool heard_ = false;  ///< a message has come
    bool interrupted_ = false;
    bool passed_on_ = false;           ///< the connection speaks another protocol, or is another's
    bool leaving_ = false;             ///< a last message is on its way: nothing may be written behind it
    std::optional<std::string> lost_;  ///< how the sender went
};

}  // namespace groma
