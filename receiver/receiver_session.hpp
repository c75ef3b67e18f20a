// The state machine of a control session: messages in, actions out. Pure: no socket, clock or thread. The caller
// carries the actions out (receiver/session_server.hpp). docs/reference/protocol.md has the states.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/access/key_loads.hpp"
#include "common/control/messages.hpp"
#include "common/net/socket/time_limits.hpp"

namespace groma {

/// The one session that a receiver calls in for which asked for its flows itself; it takes no other.
struct AskedSession {
    std::string run_id;
    std::string experiment;
    std::map<FlowId, FlowSpec> flows{};  ///< all but where they go
    // As in Start.
    std::string log_file{};
    std::string log_server{};
    std::string log_transport{};
    std::string log_name_begins{};
    bool operator==(const AskedSession&) const = default;
};

struct SessionLimits {
    std::size_t max_flows = 100'000;           ///< in one session
    Nanos starting = SessionTimes().starting;  ///< limit from the greeting to the start; from the results to the end
    bool called_in = false;                    ///< the receiver dialled the sender, and dials the flows as well
    bool keys = false;                         ///< senders are asked for keys
    bool reverse = false;                      ///< this host sends to peers that ask for it
    std::optional<AskedSession> asked{};       ///< nothing: any session
};

/// No action.
struct NoAction {};
/// Write the message.
struct Answer {
    Message message;
};
/// Write a ProbeReply with this number and both stamps.
struct AnswerProbe {
    std::uint32_t number = 0;
};
/// Write a ProgressReply with this number.
struct AnswerProgress {
    ProgressRequest request;
};
/// Bind a port for each flow; write FlowsOpened, or refuse.
struct OpenInboxes {
    std::vector<FlowSpec> flows;
    std::vector<DialTarget> dial{};     ///< the address to dial for each flow; empty: do not dial
    std::vector<FlowSecret> secrets{};  ///< of the sealed flows, in their order
};
/// Open the log, receive; write Started, or refuse.
struct BeginRun {
    Start start;
};
/// Wait for packets in flight, close the log, write ReceiverResults.
struct EndRun {
    Finish finish;
};
/// Write the LogSection at this place of the session's log, or refuse.
struct GiveLog {
    std::uint64_t offset = 0;
};
/// Remove the session's log; write LogRemoved, or refuse.
struct DropLog {};
/// Go on with the log that was left under this token; write FetchResumed, or refuse.
struct ResumeLog {
    Token token;
};
/// The peer asks for flows: serve it in the other protocol, until its run is over.
struct ServeReverse {};
/// The peer calls in as the receiver of such a run: give the connection to that.
struct TakeCall {
    std::string name;
};
/// The sender refused this receiver's call: end the session.
struct Leave {
    std::string reason;
};
/// Write the refusal and end the session.
struct Refuse {
    Refused refused;
};
using SessionAction = std::variant<NoAction, Answer, AnswerProbe, AnswerProgress, OpenInboxes, BeginRun, EndRun,
                                   GiveLog, ResumeLog, DropLog, ServeReverse, TakeCall, Leave, Refuse>;

class ReceiverSession {
public:
    enum class State : std::uint8_t {
        greeting,  ///< only Hello is valid
        opening,   ///< the sender opens flows
        running,   ///< after Start: packets arrive
        finishing  ///< after Finish
    };

    /// `identity`: the contents of Welcome, except the version. `share`: of what there is under the sender's key.
    ReceiverSession(Welcome identity, SessionLimits limits, KeyLoads::Share share = {});

    [[nodiscard]] SessionAction on_message(const Message& message, MonoTime now);
    /// Call after the results were sent; sets the time limit for the end of the session. Each section of a log that is
    /// fetched sets it again.
    void on_results(MonoTime now);
    /// Call when it is over but for its last message and its log: under the sender's key there is room for another.
    void leave() { share_.leave(); }

    /// Size limit of the next message: larger for lists of flows (opening, finishing).
    [[nodiscard]] std::size_t longest_message() const;

    [[nodiscard]] State state() const { return state_; }
    /// Requires: a state after greeting.
    [[nodiscard]] const Hello& hello() const { return hello_; }

private:
    SessionAction on(const Hello& hello);
    SessionAction on(const OpenFlows& open);
    SessionAction on(const ProbeRequest& probe) const;
    SessionAction on(const ProgressRequest& request) const;
    SessionAction on(const Start& start);
    SessionAction on(const KeepAlive& keep_alive) const;
    SessionAction on(const Finish& finish);
    SessionAction on(const FetchLog& fetch);
    SessionAction on(const RemoveLog& remove);
    SessionAction on(const ResumeFetch& resume);
    SessionAction on(const Refused& refused) const;
    SessionAction on(const AskReverse& ask) const;
    SessionAction on(const CallIn& call) const;
    /// Messages that only a receiver sends.
    template <typename Other>
    SessionAction on(const Other& other) const;

    [[nodiscard]] std::optional<Refused> error_of(const FlowSpec& flow) const;
    [[nodiscard]] std::optional<std::string> way_error(const OpenFlows& open) const;
    [[nodiscard]] static bool has_secrets_of_sealed(const OpenFlows& open);
    /// What is wrong with the log that Start asks for.
    [[nodiscard]] std::optional<std::string> log_error(const Start& start) const;
    /// That of Start which was not asked for.
    [[nodiscard]] std::optional<std::string> unasked(const Start& start) const;
    /// Why the sender's key is not good for a session that begins with this message; empty: it is.
    [[nodiscard]] std::string lack_of_role(const Message& first) const;
    [[nodiscard]] SessionAction overdue() const;
    [[nodiscard]] bool may_come_first(const Message& message) const;
    [[nodiscard]] SessionAction out_of_order(const Message& message) const;

    Welcome identity_;
    SessionLimits limits_;
    KeyLoads::Share share_;
    Load load_;  ///< of the flows so far
    State state_ = State::greeting;
    MonoTime deadline_ = MonoTime::max();
    Hello hello_;
    std::set<FlowId> flows_;
    std::size_t value_bytes_ = 0;  ///< of all flows
    bool log_offered_ = false;     ///< Start said that it will be fetched, and it was not removed
    bool results_sent_ = false;
    std::optional<std::uint64_t> next_section_;  ///< of the log; nothing: any
    /// A flow that requested a port, and the association that it shares; empty: none.
    struct PortOwner {
        FlowId flow;
        std::optional<std::uint32_t> association;
    };
    std::map<std::pair<Transport, std::uint16_t>, PortOwner> ports_;  ///< requested ports
};

}  // namespace groma
