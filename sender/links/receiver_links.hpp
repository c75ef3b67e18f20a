// The control sessions with all receivers of a run, on their own thread. Each request goes to all receivers in
// parallel.
//
// Thread: its owner's. Calls block and poll a GiveUp, which ends the wait (the user pressed Ctrl-C).
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "common/control/awaited_call.hpp"
#include "sender/links/receiver_link.hpp"

namespace groma {

/// Returns: whether to end the wait.
using GiveUp = std::function<bool()>;

/// The outcome of one receiver's finish: its results or an error.
struct FinishOutcome {
    ReceiverResults results;
    std::string error;  ///< empty: success
};

/// A section of the log of one receiver.
struct SectionRequest {
    std::size_t receiver = 0;
    std::uint64_t offset = 0;
};
struct SectionOutcome {
    LogSection section;
    std::string error;  ///< empty: success
};

/// How a passive sender awaits its receivers.
struct Awaiting {
    std::vector<SocketAddress> listen;  ///< all on the first one's port; 0: the kernel chooses it
    std::filesystem::path keys{};       ///< the folder of those that receivers must prove one of; empty: none
    Nanos limit{0};
    std::function<void(const std::string&)> say;            ///< takes a sentence; may be empty
    std::function<void(const std::string&)> show_progress;  ///< takes one line per second; may be empty
};

class ReceiverLinks {
public:
    /// `clock` outlives the links.
    ReceiverLinks(const std::vector<ReceiverPlan>& plans, Clock& clock, const SessionTimes& times);
    ReceiverLinks(const ReceiverLinks&) = delete;
    ReceiverLinks& operator=(const ReceiverLinks&) = delete;
    /// Ends all sessions.
    ~ReceiverLinks();

    /// Waits until every receiver has called in, then sets their addresses in the plans. Requires: plans with names, or
    /// one plan without, which takes the first caller. Throws: RunError with the names of the missing receivers.
    void await(const Awaiting& awaiting, const GiveUp& give_up);
    /// Waits until the one receiver has called, by way of `call`, and takes it under `name`. Requires: one plan.
    /// Throws: RunError when it does not within `limit`.
    void await_call(AwaitedCall& call, const std::string& name, Nanos limit, const GiveUp& give_up);
    /// See ReceiverLink.
    void await_flows_at(std::size_t which, std::vector<DialTarget> dial);
    [[nodiscard]] SocketAddress local_address(std::size_t which) const { return links_[which]->local_address(); }

    /// Throws (this and start()): RunError with one line per failed receiver, or if the wait was given up.
    [[nodiscard]] std::vector<OpenedReceiver> open(const Hello& hello, const GiveUp& give_up);
    /// `starts`: one for each receiver. Returns: the paths of the receivers' logs.
    [[nodiscard]] std::vector<std::string> start(const std::vector<Start>& starts, const GiveUp& give_up);

    /// Asks every receiver what has arrived so far. Does not block. Requires: start() has returned.
    void ask_progress(const ProgressRequest& request);
    /// The latest answer of each receiver; empty: not all have answered yet.
    [[nodiscard]] std::optional<std::vector<ProgressReply>> progress() const;

    /// `finishes`: one for each receiver. A receiver's failure is in its outcome; it does not throw.
    [[nodiscard]] std::vector<FinishOutcome> finish(const std::vector<Finish>& finishes, const GiveUp& give_up);

    /// At most one section of each receiver at a time. A failure is in its outcome.
    [[nodiscard]] std::vector<SectionOutcome> fetch_logs(const std::vector<SectionRequest>& requests,
                                                         const GiveUp& give_up);
    /// Connects again to a receiver whose session ended while its log was fetched, for so long as the receiver may take
    /// to notice that. Returns: whether the fetching goes on; never for a receiver that has called in.
    [[nodiscard]] bool resume_fetch(std::size_t which, Nanos patience, const GiveUp& give_up);
    /// Has the receiver remove its log. Returns: why it does not, perhaps; empty: it has.
    [[nodiscard]] std::string remove_log(std::size_t which, const GiveUp& give_up);

    /// The probes of each receiver so far.
    [[nodiscard]] std::vector<std::vector<ClockProbe>> probes();

    [[nodiscard]] std::size_t size() const { return links_.size(); }
    [[nodiscard]] const ReceiverPlan& plan(std::size_t which) const { return links_[which]->plan(); }
    /// Why the session ended early, if it did.
    [[nodiscard]] std::optional<std::string> lost(std::size_t which) const { return links_[which]->lost(); }

private:
    /// Why a receiver of this name is refused; empty: accepted. Thread: the sessions'.
    [[nodiscard]] std::string refusal(const std::string& name) const;
    void seat(const std::string& name, ControlConnection connection);
    [[nodiscard]] std::size_t seat_of(const std::string& name) const;
    [[nodiscard]] bool seated(std::size_t which) const;
    [[nodiscard]] std::vector<std::string> missing() const;
    /// Puts another link in the place of one that is over. Thread: the sessions'.
    void replace(std::unique_ptr<ReceiverLink>& link, ReceiverPlan plan);

    boost::asio::io_context io_;
    Clock& clock_;
    SessionTimes times_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::vector<std::unique_ptr<ReceiverLink>> links_;  ///< their coroutines refer to them: they must not move
    std::vector<std::unique_ptr<ReceiverLink>> gone_;   ///< that others have replaced
    std::thread thread_;
};

}  // namespace groma
