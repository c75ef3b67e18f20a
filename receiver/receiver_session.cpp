#include "receiver/receiver_session.hpp"

#include <algorithm>

#include "common/access/first_messages.hpp"
#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::uint32_t kLowestVersion = 1;

Refuse refuse(std::string reason, std::optional<FlowId> flow = std::nullopt) {
    return Refuse{Refused{.reason = std::move(reason), .flow = flow}};
}

std::string range(std::uint32_t lowest, std::uint32_t highest) {
    return lowest == highest ? std::to_string(lowest) : std::to_string(lowest) + " to " + std::to_string(highest);
}

std::string_view in_words(ReceiverSession::State state) {
    switch (state) {
        case ReceiverSession::State::greeting:
            return "before 'hello'";
        case ReceiverSession::State::opening:
            return "before 'start'";
        case ReceiverSession::State::running:
            return "after 'start'";
        case ReceiverSession::State::finishing:
            return "after 'finish'";
    }
    return "out of order";
}

bool was_asked_for(const AskedSession& asked, FlowSpec flow) {
    const auto found = asked.flows.find(flow.id);
    if (found == asked.flows.end()) {
        return false;
    }
    flow.target.host = found->second.target.host;
    flow.target.control_port = found->second.target.control_port;
    return flow == found->second;
}

}  // namespace

ReceiverSession::ReceiverSession(Welcome identity, SessionLimits limits, KeyLoads::Share share)
    : identity_(std::move(identity)), limits_(std::move(limits)), share_(std::move(share)) {}

std::string ReceiverSession::lack_of_role(const Message& first) const {
    const std::optional<Role> needed = role_to_begin(Server::receiver, type_name(first));
    return share_.grant() and needed ? lack_in_words(*share_.grant(), *needed) : "";
}

// A live sender sends a message at least every second, so no deadline passes unnoticed for longer.
SessionAction ReceiverSession::on_message(const Message& message, MonoTime now) {
    if (now >= deadline_) {
        return overdue();
    }
    if (state_ == State::greeting and not may_come_first(message)) {
        return out_of_order(message);
    }
    if (std::string lack = state_ == State::greeting ? lack_of_role(message) : ""; not lack.empty()) {
        return refuse(std::move(lack));
    }
    const State before = state_;
    SessionAction action = std::visit([this](const auto& one) { return on(one); }, message);
    if (std::holds_alternative<GiveLog>(action) or std::holds_alternative<ResumeLog>(action)) {
        deadline_ = now + limits_.starting;
    } else if (state_ != before) {
        deadline_ = state_ == State::opening ? now + limits_.starting : MonoTime::max();
    }
    return action;
}

SessionAction ReceiverSession::overdue() const {
    return refuse(std::string("the sender ") +
                  (state_ == State::opening ? "did not start" : "did not end the session") + " within " +
                  human_time(limits_.starting) + (state_ == State::opening ? " after 'hello'" : " after the results") +
                  ": others wait for its place (give --timeout to both sides where all takes longer)");
}

std::size_t ReceiverSession::longest_message() const {
    constexpr std::size_t kLongestSentFlow = 64;  // three numbers: 32, 64 and 64 bits
    switch (state_) {
        case State::opening:
            return kMaxMessageBytes;
        case State::running:
            return kMaxShortMessageBytes + flows_.size() * kLongestSentFlow;
        case State::greeting:
        case State::finishing:
            break;
    }
    return kMaxShortMessageBytes;
}

// A called sender may wait for other receivers before its greeting, or refuse this one.
bool ReceiverSession::may_come_first(const Message& message) const {
    if (not limits_.called_in) {
        return role_to_begin(Server::receiver, type_name(message)).has_value();
    }
    return std::holds_alternative<Hello>(message) or std::holds_alternative<KeepAlive>(message) or
           std::holds_alternative<Refused>(message);
}

SessionAction ReceiverSession::on(const Hello& hello) {
    if (state_ != State::greeting) {
        return refuse("the sender said 'hello' twice in one session");
    }
    if (hello.highest_version < kLowestVersion or hello.lowest_version > kProtocolVersion) {
        return refuse("the sender (" + plain_text(hello.program, 100) + ") speaks version " +
                      range(hello.lowest_version, hello.highest_version) + " of the protocol and this receiver (" +
                      identity_.program + ") version " + range(kLowestVersion, kProtocolVersion) +
                      ": install the same release on both hosts");
    }
    if (limits_.asked and (hello.run_id != limits_.asked->run_id or hello.experiment != limits_.asked->experiment)) {
        return refuse("this receiver asked for the flows of another run");
    }
    if (hello.for_client and limits_.keys and not share_.grant()) {
        return refuse(
            "this receiver takes senders that have a key, and a daemon of its own user asks for a client that gave "
            "none for this host: groma-send --via with --key FILE");
    }
    hello_ = hello;
    state_ = State::opening;
    identity_.version = std::min(hello.highest_version, kProtocolVersion);
    return Answer{identity_};
}

std::optional<Refused> ReceiverSession::error_of(const FlowSpec& flow) const {
    if (flow.id.value == 0) {
        return Refused{.reason = "flows are numbered from 1", .flow = flow.id};
    }
    if (limits_.asked and not was_asked_for(*limits_.asked, flow)) {
        return Refused{.reason = "flow " + std::to_string(flow.id.value) + " was not asked for", .flow = flow.id};
    }
    if (flows_.contains(flow.id)) {
        return Refused{.reason = "flow " + std::to_string(flow.id.value) + " was asked for twice", .flow = flow.id};
    }
    if (not flow.target.data_port) {
        return std::nullopt;
    }
    const auto other = ports_.find({flow.transport, *flow.target.data_port});
    const bool shared =
        flow.options.association and other != ports_.end() and other->second.association == flow.options.association;
    if (other == ports_.end() or shared) {
        return std::nullopt;
    }
    return Refused{.reason = "flows " + std::to_string(other->second.flow.value) + " and " +
                             std::to_string(flow.id.value) + " both ask for " + std::string(to_string(flow.transport)) +
                             " port " + std::to_string(*flow.target.data_port) +
                             ": give each flow a port of its own, or none and the receiver allots one",
                   .flow = flow.id};
}

std::optional<std::string> ReceiverSession::way_error(const OpenFlows& open) const {
    if (limits_.called_in and open.dial.size() != open.flows.size()) {
        return "this receiver dials its flows, as it has dialled the sender, and was not told where: install the same "
               "release on both hosts";
    }
    if (not limits_.called_in and not open.dial.empty()) {
        return "the sender wants its flows dialled, but it was not this receiver that dialled the sender";
    }
    for (std::size_t i = 0; i < open.dial.size(); ++i) {
        if (open.dial[i].port == 0 and (not limits_.asked or traits(open.flows[i].transport).dialled)) {
            return "flow " + std::to_string(open.flows[i].id.value) + " has no port to dial";
        }
    }
    return std::nullopt;
}

bool ReceiverSession::has_secrets_of_sealed(const OpenFlows& open) {
    auto secret = open.secrets.begin();
    for (const FlowSpec& flow : open.flows) {
        if (flow.seal == Sealing::on and (secret == open.secrets.end() or (secret++)->flow != flow.id)) {
            return false;
        }
    }
    return secret == open.secrets.end();
}

SessionAction ReceiverSession::on(const OpenFlows& open) {
    if (state_ != State::opening) {
        return out_of_order(open);
    }
    if (open.flows.empty()) {
        return refuse("the sender asked for no flows at all");
    }
    if (flows_.size() + open.flows.size() > limits_.max_flows) {
        return refuse("this receiver takes at most " + counted(limits_.max_flows, "flow") +
                      " in one session (groma-recv --max-flows N raises that)");
    }
    if (auto error = way_error(open)) {
        return refuse(*std::move(error));
    }
    if (not has_secrets_of_sealed(open)) {
        return refuse("the sender's keys are not those of the sealed flows: install the same release on both hosts");
    }
    for (const FlowSpec& flow : open.flows) {
        if (auto error = error_of(flow)) {
            return Refuse{std::move(*error)};
        }
        value_bytes_ += value_bytes(flow);
        if (value_bytes_ > kMaxValueBytes) {
            return refuse("the flows of the session have more than " + human_bytes(kMaxValueBytes) +
                          " of values (families 'file' and 'discrete'), which is more than a receiver takes");
        }
        flows_.insert(flow.id);
        if (share_.grant()) {
            load_.add(flow);
        }
        if (flow.target.data_port) {
            ports_.emplace(std::pair(flow.transport, *flow.target.data_port),
                           PortOwner{flow.id, flow.options.association});
        }
    }
    if (std::string why = share_.ask(load_); not why.empty()) {
        return refuse(std::move(why));
    }
    return OpenInboxes{open.flows, open.dial, open.secrets};
}

SessionAction ReceiverSession::on(const ProbeRequest& probe) const {
    return AnswerProbe{probe.number};
}

SessionAction ReceiverSession::on(const ProgressRequest& request) const {
    const bool started = state_ == State::running or (state_ == State::finishing and not flows_.empty());
    return started ? SessionAction(AnswerProgress{request}) : out_of_order(request);
}

SessionAction ReceiverSession::on(const KeepAlive&) const {
    return NoAction{};
}

SessionAction ReceiverSession::on(const Start& start) {
    if (state_ != State::opening) {
        return out_of_order(start);
    }
    if (flows_.empty()) {
        return refuse("the sender wants to start without any flow");
    }
    if (auto error = log_error(start)) {
        return refuse(*std::move(error));
    }
    log_offered_ = start.fetch_log;
    state_ = State::running;
    return BeginRun{start};
}

std::optional<std::string> ReceiverSession::log_error(const Start& start) const {
    if (start.fetch_log and (start.log_file.empty() or start.discard_log)) {
        return "the sender wants to fetch a log that it does not ask for";
    }
    return unasked(start);
}

std::optional<std::string> ReceiverSession::unasked(const Start& start) const {
    if (not limits_.asked) {
        return std::nullopt;
    }
    const AskedSession& asked = *limits_.asked;
    if (start.discard_log or start.fetch_log) {
        return "this receiver keeps the log that it asked for";
    }
    if (not asked.log_server.empty() and
        (start.log_transport != asked.log_transport or not start.log_name.starts_with(asked.log_name_begins))) {
        return "this receiver did not ask for the name '" + plain_text(start.log_name, 100) +
               "' on the log server over " + plain_text(start.log_transport, 20);
    }
    if (start.log_file != asked.log_file) {
        return "this receiver did not ask for a log '" + plain_text(start.log_file, 100) + "'";
    }
    if (start.log_server != asked.log_server) {
        return "this receiver did not ask for the log server '" + plain_text(start.log_server, 100) + "'";
    }
    return std::nullopt;
}

SessionAction ReceiverSession::on(const Finish& finish) {
    if (state_ != State::running) {
        return out_of_order(finish);
    }
    std::set<FlowId> told;
    for (const SentFlow& sent : finish.flows) {
        if (not flows_.contains(sent.flow)) {
            return refuse("the sender finished flow " + std::to_string(sent.flow.value) + ", which was never opened",
                          sent.flow);
        }
        if (not told.insert(sent.flow).second) {
            return refuse("the sender finished flow " + std::to_string(sent.flow.value) + " twice", sent.flow);
        }
    }
    state_ = State::finishing;
    return EndRun{finish};
}

SessionAction ReceiverSession::on(const Refused& refused) const {
    if (not limits_.called_in) {
        return refuse("the sender sent 'refused', which only a receiver sends");
    }
    return Leave{refused.reason};
}

void ReceiverSession::on_results(MonoTime now) {
    results_sent_ = true;
    share_.rest();
    deadline_ = now + limits_.starting;
}

SessionAction ReceiverSession::on(const FetchLog& fetch) {
    if (not results_sent_ or not log_offered_) {
        return out_of_order(fetch);
    }
    if (next_section_ and fetch.offset != *next_section_) {
        return refuse("the sender fetches the sections of the log out of order");
    }
    next_section_ = fetch.offset + kLogSectionBytes;
    return GiveLog{fetch.offset};
}

SessionAction ReceiverSession::on(const RemoveLog& remove) {
    if (not next_section_ or not log_offered_) {
        return out_of_order(remove);
    }
    log_offered_ = false;
    return DropLog{};
}

SessionAction ReceiverSession::on(const ResumeFetch& resume) {
    if (state_ != State::greeting) {
        return out_of_order(resume);
    }
    state_ = State::finishing;
    results_sent_ = true;
    log_offered_ = true;
    return ResumeLog{resume.token};
}

SessionAction ReceiverSession::on(const AskReverse& ask) const {
    if (state_ != State::greeting) {
        return out_of_order(ask);
    }
    if (not limits_.reverse) {
        return refuse("this receiver sends nothing: start it with --reverse-runs N for flows in the other direction");
    }
    return ServeReverse{};
}

SessionAction ReceiverSession::on(const CallIn& call) const {
    if (state_ != State::greeting) {
        return out_of_order(call);
    }
    if (not limits_.reverse) {
        return refuse("receivers call in at senders, and this is a receiver: call groma-send --passive");
    }
    return TakeCall{call.name};
}

template <typename Other>
SessionAction ReceiverSession::on(const Other& other) const {
    return refuse("the sender sent '" + std::string(type_name(other)) + "', which only a receiver sends");
}

SessionAction ReceiverSession::out_of_order(const Message& message) const {
    return refuse("the sender sent '" + std::string(type_name(message)) + "' " + std::string(in_words(state_)) +
                  ", where it has no place");
}

}  // namespace groma
