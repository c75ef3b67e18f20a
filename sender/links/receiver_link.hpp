// The sender's side of one control session (docs/reference/protocol.md): coroutines that read top to bottom like the
// state diagram. From Welcome on, one coroutine reads whatever comes and one says each second that we live, so that
// either side notices within SessionTimes::silence when the other is gone.
//
// Thread: all of it runs on the io_context's one thread, except lost() and progress(), which may be called from any.
// The io_context outlives the link, and the link outlives its coroutines: close() and let the io_context run out of
// work.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/control/connection.hpp"
#include "common/control/messages.hpp"
#include "common/control/timer.hpp"
#include "common/log/run_metadata.hpp"
#include "common/time/clock.hpp"
#include "sender/links/clock_prober.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

/// What a receiver said when the flows were opened.
struct OpenedReceiver {
    Welcome welcome;
    std::vector<OpenedFlow> ports;  ///< as many and in the same order as the flows of the plan
};

class ReceiverLink {
public:
    /// `clock` gives the probes' times T1 and T4, and tells of standstills; it outlives the link.
    ReceiverLink(boost::asio::io_context& io, ReceiverPlan plan, Clock& clock, const SessionTimes& times);
    ReceiverLink(const ReceiverLink&) = delete;
    ReceiverLink& operator=(const ReceiverLink&) = delete;
    ~ReceiverLink();

    /// Takes the connection of a receiver that has called in; it is kept alive from now on, and open() does not
    /// connect. Thread: the io_context's. Requires: no open() yet.
    void adopt(ControlConnection connection, std::string name);
    /// Where the flows of a receiver that has called in are awaited. Requires: no open() yet.
    void await_flows_at(std::vector<DialTarget> dial) { plan_.dial = std::move(dial); }
    /// This side's address of the connection. Requires: adopt().
    [[nodiscard]] SocketAddress local_address() const { return connection_->local_address(); }

    /// Connects, greets, opens all flows and probes the clock. All three throw RunError with a sentence for the user:
    /// the receiver cannot be reached, refuses (with its reason), went away, or does not answer in time.
    boost::asio::awaitable<OpenedReceiver> open(Hello hello);
    /// Returns: where the receiver keeps its log; empty if it keeps none.
    boost::asio::awaitable<std::string> start(Start start);
    boost::asio::awaitable<ReceiverResults> finish(Finish finish);
    /// The section of the receiver's log at this place. Its contents are the receiver's words. Throws: as the others.
    boost::asio::awaitable<LogSection> fetch_log(std::uint64_t offset);
    boost::asio::awaitable<LogRemoved> remove_log();
    /// Instead of open(): connects to go on with fetching the log, of which another link to this receiver has the
    /// token.
    boost::asio::awaitable<FetchResumed> resume_fetch(Token token);
    /// Thread: the io_context's. Nothing: the receiver has given none, or cannot be connected to.
    [[nodiscard]] std::optional<Token> fetch_token() const { return fetch_token_; }

    /// Asks what has arrived so far, unless the answer to the last question is still out. Requires: start() has
    /// returned.
    void ask_progress(const ProgressRequest& request);
    /// The latest answer; empty: none yet. Any thread.
    [[nodiscard]] std::optional<ProgressReply> progress() const;

    /// Taken so far: before start(), while flows are sent, and after finish().
    [[nodiscard]] std::vector<ClockProbe> probes() const;

    /// Ends the session; whatever still waits ends with an error.
    void close() noexcept;

    /// Why the session ended before close(): "the receiver at 10.0.0.2:9000 closed the connection". Any thread.
    [[nodiscard]] std::optional<std::string> lost() const;

    [[nodiscard]] const ReceiverPlan& plan() const { return plan_; }

    /// What is to be asked of a receiver that calls again. Requires: no open() yet; lost().
    [[nodiscard]] ReceiverPlan take_plan() { return std::move(plan_); }
    /// Nothing of it goes on by itself: without an open(), start() or finish() that waits it may be destroyed. Thread:
    /// the io_context's.
    [[nodiscard]] bool at_rest() const { return running_ == 0; }

private:
    void spawn(boost::asio::awaitable<void> task);
    boost::asio::awaitable<void> connect();
    boost::asio::awaitable<OpenedReceiver> set_up(const Hello& hello, bool called_in);
    boost::asio::awaitable<void> read_on();
    boost::asio::awaitable<void> keep_alive();
    boost::asio::awaitable<Message> next(Nanos limit);
    boost::asio::awaitable<void> probe();
    /// `request` as for say(). Throws: also RunError for another answer than the one expected.
    template <typename Expected>
    boost::asio::awaitable<Expected> ask(const Message& request, Nanos limit);
    /// Keeps the answer to ask(), one at most. Throws: ProtocolError for what was not asked for.
    void take(Message message);
    /// Keeps the answer to ask_progress(). Throws: as take().
    void take(ProgressReply reply);
    [[nodiscard]] ProtocolError unasked(const Message& message) const;
    [[nodiscard]] ProtocolError other_flows(std::string_view what, std::size_t count) const;
    /// `message` has a name: see ControlConnection::write(). What the receiver is not there to take is not said:
    /// read_on() finds out why. Throws: RunError when it has.
    boost::asio::awaitable<void> say(const Message& message);
    void detect_standstill();
    /// Why the session ended, by the error of the connection.
    [[nodiscard]] std::string reason_of(std::string_view error);
    /// ", after this sender stood still for 60 s (...)" when it did just before; otherwise empty.
    [[nodiscard]] std::string after_standstill();
    void break_off(const std::string& why);

    /// What they add to the receiver's time for an answer.
    [[nodiscard]] Nanos answer_of_flows() const {
        return static_cast<std::int64_t>(opened_.size()) * times_.answer_per_flow;
    }

    struct Standstill {
        MonoTime end{};
        Nanos length{0};  ///< 0: there was none
    };

    boost::asio::io_context& io_;
    Clock& clock_;
    ReceiverPlan plan_;
    SessionTimes times_;
    std::vector<FlowId> opened_;  ///< the flows, in their order
    ClockProber prober_;
    std::optional<ControlConnection> connection_;
    Welcome welcome_;
    std::optional<Token> fetch_token_;
    bool greeted_ = false;  ///< by the receiver: it is one
    bool asked_ = false;    ///< and the answer has not arrived
    std::optional<Message> answer_;
    std::optional<std::uint32_t> asked_progress_;  ///< the number of the question whose answer is out
    Timer arrival_;                                ///< cancelled when a message has arrived or the session has ended
    Timer beat_;                                   ///< of keep_alive(); cancelled when the session has ended
    std::optional<MonoTime> beat_due_;             ///< nothing: a keep-alive is being written
    Standstill standstill_;  ///< the last one that was so long that the receiver may have taken us for dead
    bool closed_ = false;
    std::size_t running_ = 0;        ///< coroutines that nobody awaits
    mutable std::mutex told_mutex_;  ///< guards what follows
    std::optional<std::string> lost_;
    std::optional<ProgressReply> progress_;
};

}  // namespace groma
