// Lying senders: control messages of any kind in any order, with time and ends of connections in between, to several
// sessions of one receiver. A session accepts exactly what the protocol's states allow (docs/reference/protocol.md).
// Its refusals reach the sender, its place is free when it ends, and an honest sender is served.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/admission.hpp"
#include "common/control/message_limits.hpp"
#include "common/log/log_name.hpp"
#include "common/time/manual_clock.hpp"
#include "receiver/log_target.hpp"
#include "receiver/receiver_session.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/sample_flow.hpp"

namespace groma {
namespace {

constexpr std::size_t kMostFlows = 8;
constexpr std::size_t kPlaces = 4;
constexpr Nanos kStarting = std::chrono::minutes(5);

Hello usual_hello() {
    Hello hello;
    hello.run_id = std::string(32, 'a');
    return hello;
}

FlowSpec flow_of(Choices& choices) {
    FlowSpec flow = flow_numbered(choices.below(12));
    flow.transport = static_cast<Transport>(choices.below(4));
    if (const unsigned port = choices.below(4); port > 0) {
        flow.target.data_port = static_cast<std::uint16_t>(port);
    }
    if (const unsigned association = choices.below(3); association > 0) {
        flow.options.association = association;
    }
    return flow;
}

Hello hello_of(Choices& choices) {
    Hello hello = usual_hello();
    if (choices.one_in(4)) {
        hello.lowest_version = choices.number<std::uint32_t>();
        hello.highest_version = choices.number<std::uint32_t>();
    }
    hello.program = choices.text();
    hello.experiment = choices.text();
    return hello;
}

OpenFlows open_of(Choices& choices, bool called_in) {
    OpenFlows open;
    for (unsigned count = choices.below(4); count > 0; --count) {
        open.flows.push_back(flow_of(choices));
    }
    if (called_in != choices.one_in(8)) {
        open.dial.resize(open.flows.size(), {.port = 1, .token = {}});
    }
    return open;
}

Start start_of(Choices& choices) {
    constexpr std::array kTransports = {"tcp", "udp", "mpi", "\x7f"};
    return {.log_file = choices.text(),
            .log_server = choices.text(),
            .log_transport = kTransports.at(choices.below(kTransports.size())),
            .log_name = choices.text(),
            .discard_log = choices.one_in(2),
            .fetch_log = choices.one_in(2)};
}

Finish finish_of(Choices& choices) {
    Finish finish{.interrupted = choices.one_in(2), .wait = std::chrono::seconds(choices.below(64)), .flows = {}};
    for (unsigned count = choices.below(4); count > 0; --count) {
        finish.flows.push_back({.flow = FlowId{choices.below(12)},
                                .packets = choices.number<std::uint64_t>(),
                                .bytes = choices.number<std::uint64_t>()});
    }
    return finish;
}

/// The text of a message, or any bytes.
std::string text_of(Choices& choices, bool called_in) {
    constexpr std::array kReceivers = {"welcome", "flows_opened", "probe_reply", "started", "results", "call_in"};
    switch (choices.below(12)) {
        case 0:
            return serialize(hello_of(choices));
        case 1:
        case 2:
            return serialize(open_of(choices, called_in));
        case 3:
            return serialize(start_of(choices));
        case 4:
            return serialize(finish_of(choices));
        case 5: {
            const auto number = choices.number<std::uint32_t>();
            return number < 128 ? serialize(ProbeRequest{.number = number})
                                : serialize(ProgressRequest{.number = number, .each_flow = number % 2 == 0});
        }
        case 6:
            return serialize(KeepAlive{});
        case 7:
            return serialize(Refused{.reason = choices.text(), .flow = std::nullopt});
        case 8:
            switch (choices.below(kReceivers.size())) {
                case 0:
                    return serialize(Welcome{});
                case 1:
                    return serialize(FlowsOpened{});
                case 2:
                    return serialize(ProbeReply{});
                case 3:
                    return serialize(Started{});
                case 4:
                    return serialize(ReceiverResults{});
                default:
                    return choices.one_in(2) ? serialize(CallIn{.program = "p", .name = "n"}) : serialize(AskReverse{});
            }
        case 9:
            return serialize(FetchLog{.offset = choices.below(3) * kLogSectionBytes});
        case 10:
            return choices.one_in(2) ? serialize(RemoveLog{})
                   : called_in       ? serialize(LogSection{})
                                     : serialize(ResumeFetch{});
        default:
            return choices.text();
    }
}

/// The messages that the states of the protocol allow a sender.
class Rules {
public:
    explicit Rules(bool called_in) : called_in_(called_in) {}

    [[nodiscard]] bool allow(const Message& message, MonoTime now) const {
        return now < deadline_ and std::visit([this](const auto& one) { return allows(one); }, message);
    }
    void took(const Message& message, MonoTime now) {
        if (std::holds_alternative<Hello>(message)) {
            stage_ = Stage::opening;
            deadline_ = now + kStarting;
        } else if (const auto* const open = std::get_if<OpenFlows>(&message)) {
            for (const FlowSpec& flow : open->flows) {
                flows_.insert(flow.id);
                add_port(ports_, flow);
            }
        } else if (const auto* const start = std::get_if<Start>(&message)) {
            stage_ = Stage::running;
            deadline_ = MonoTime::max();
            log_ = start->fetch_log ? Log::offered : Log::none;
        } else if (std::holds_alternative<Finish>(message)) {
            stage_ = Stage::finishing;
        } else if (const auto* const fetch = std::get_if<FetchLog>(&message)) {
            next_section_ = fetch->offset + kLogSectionBytes;
            deadline_ = now + kStarting;
        } else if (std::holds_alternative<RemoveLog>(message)) {
            log_ = Log::none;
        } else if (std::holds_alternative<ResumeFetch>(message)) {
            stage_ = Stage::finishing;
            log_ = Log::offered;
            results_went(now);
        }
    }
    [[nodiscard]] bool finishing() const { return stage_ == Stage::finishing; }
    void results_went(MonoTime now) {
        deadline_ = now + kStarting;
        results_went_ = true;
    }
    [[nodiscard]] bool greeted() const { return stage_ != Stage::greeting; }

private:
    enum class Stage : std::uint8_t { greeting, opening, running, finishing };
    enum class Log : std::uint8_t { none, offered };
    using Ports = std::map<std::pair<Transport, std::uint16_t>, std::optional<std::uint32_t>>;

    static bool add_port(Ports& ports, const FlowSpec& flow) {
        if (not flow.target.data_port) {
            return true;
        }
        const auto& association = flow.options.association;
        const auto [at, is_new] = ports.emplace(std::pair(flow.transport, *flow.target.data_port), association);
        return is_new or (association and at->second == association);
    }

    [[nodiscard]] bool allows(const Hello& hello) const {
        return stage_ == Stage::greeting and hello.lowest_version <= kProtocolVersion and hello.highest_version >= 1;
    }
    [[nodiscard]] bool allows(const OpenFlows& open) const {
        std::set<FlowId> flows = flows_;
        Ports ports = ports_;
        for (const FlowSpec& flow : open.flows) {
            if (flow.id.value == 0 or not flows.insert(flow.id).second or not add_port(ports, flow)) {
                return false;
            }
        }
        return stage_ == Stage::opening and not open.flows.empty() and flows.size() <= kMostFlows and
               std::ranges::none_of(open.dial, [](const DialTarget& to) { return to.port == 0; }) and
               open.dial.size() == (called_in_ ? open.flows.size() : 0);
    }
    [[nodiscard]] bool allows(const Start& start) const {
        return stage_ == Stage::opening and not flows_.empty() and
               (not start.fetch_log or (not start.log_file.empty() and not start.discard_log));
    }
    [[nodiscard]] bool allows(const FetchLog& fetch) const {
        return results_went_ and log_ == Log::offered and next_section_.value_or(fetch.offset) == fetch.offset;
    }
    [[nodiscard]] bool allows(const ResumeFetch&) const { return stage_ == Stage::greeting and not called_in_; }
    [[nodiscard]] bool allows(const RemoveLog&) const { return log_ == Log::offered and next_section_; }
    [[nodiscard]] bool allows(const Finish& finish) const {
        std::set<FlowId> told;
        return stage_ == Stage::running and std::ranges::all_of(finish.flows, [&](const SentFlow& sent) {
                   return flows_.contains(sent.flow) and told.insert(sent.flow).second;
               });
    }
    [[nodiscard]] bool allows(const ProbeRequest&) const { return greeted(); }
    [[nodiscard]] bool allows(const ProgressRequest&) const {
        return stage_ == Stage::running or stage_ == Stage::finishing;
    }
    [[nodiscard]] bool allows(const KeepAlive&) const { return greeted() or called_in_; }
    [[nodiscard]] bool allows(const Refused&) const { return called_in_; }
    [[nodiscard]] bool allows(const CallIn&) const { return stage_ == Stage::greeting and not called_in_; }
    [[nodiscard]] bool allows(const AskReverse&) const { return stage_ == Stage::greeting and not called_in_; }
    template <typename Other>
    [[nodiscard]] bool allows(const Other&) const {
        return false;
    }

    bool called_in_;
    Stage stage_ = Stage::greeting;
    MonoTime deadline_ = MonoTime::max();
    std::set<FlowId> flows_;
    Ports ports_;
    Log log_ = Log::none;
    bool results_went_ = false;
    std::optional<std::uint64_t> next_section_;
};

class Sender {
public:
    Sender(Admission::Slot slot, bool called_in)
        : slot_(std::move(slot)),
          called_in_(called_in),
          session_(Welcome{.program = "groma-recv", .host = "beta", .boot_id = "b"},
                   {.max_flows = kMostFlows, .starting = kStarting, .called_in = called_in, .reverse = not called_in}),
          rules_(called_in) {}

    /// Returns: whether the session continues.
    bool say(const std::string& text, MonoTime now) {
        if (text.size() > session_.longest_message()) {
            return false;  // the connection does not take it
        }
        try {
            const Message message = parse_message(text, "peer");
            return obey(message, session_.on_message(message, now), now);
        } catch (const ProtocolError& error) {
            check_refusal({.reason = error.what(), .flow = std::nullopt});
            return false;
        }
    }
    bool say(Choices& choices, MonoTime now) { return say(text_of(choices, called_in_), now); }
    void send_results(MonoTime now) {
        if (rules_.finishing()) {
            session_.on_results(now);
            rules_.results_went(now);
        }
    }

private:
    static void check_refusal(const Refused& refused) {
        const auto again = std::get<Refused>(parse_message(serialize(refused), "receiver"));
        check(not again.reason.empty() and again.flow == refused.flow, "a refusal does not reach the sender");
        check(refused.reason.size() <= kLongestReason, "a refusal is cut short");
    }

    bool obey(const Message& message, const SessionAction& action, MonoTime now) {
        const auto* const refuse = std::get_if<Refuse>(&action);
        check(rules_.allow(message, now) == (refuse == nullptr),
              "a message is judged by other rules than the protocol's");
        if (refuse != nullptr) {
            check_refusal(refuse->refused);
            check(shows_as_it_is(refuse->refused.reason), "a refusal is not plain text");
            return false;
        }
        rules_.took(message, now);
        if (const auto* const hello = std::get_if<Hello>(&message)) {
            hello_ = *hello;
            const auto& welcome = std::get<Welcome>(std::get<Answer>(action).message);
            check(welcome.version >= hello->lowest_version and welcome.version <= hello->highest_version,
                  "a version was chosen that was not offered");
        } else if (const auto* const open = std::get_if<OpenFlows>(&message)) {
            const auto& inboxes = std::get<OpenInboxes>(action);
            check(inboxes.flows == open->flows and inboxes.dial == open->dial, "other flows are opened");
        } else if (const auto* const start = std::get_if<Start>(&message)) {
            check(std::get<BeginRun>(action).start == *start, "another run begins");
            return begin(*start);
        } else if (const auto* const finish = std::get_if<Finish>(&message)) {
            check(std::get<EndRun>(action).finish == *finish, "another run ends");
        } else if (const auto* const probe = std::get_if<ProbeRequest>(&message)) {
            check(std::get<AnswerProbe>(action).number == probe->number, "another probe is answered");
        } else if (const auto* const fetch = std::get_if<FetchLog>(&message)) {
            check(std::get<GiveLog>(action).offset == fetch->offset, "another section of a log is given");
        } else if (const auto* const resume = std::get_if<ResumeFetch>(&message)) {
            check(std::get<ResumeLog>(action).token == resume->token, "another log is gone on with");
        } else if (std::holds_alternative<RemoveLog>(message)) {
            check(std::holds_alternative<DropLog>(action), "a log that was fetched stays");
        } else if (const auto* const request = std::get_if<ProgressRequest>(&message)) {
            check(std::get<AnswerProgress>(action).request == *request, "another question is answered");
        } else if (const auto* const call = std::get_if<CallIn>(&message)) {
            check(std::get<TakeCall>(action).name == call->name, "another call is taken");
            return false;
        } else if (std::holds_alternative<AskReverse>(message)) {
            check(std::holds_alternative<ServeReverse>(action), "who asks for flows is not served");
            return false;
        } else if (std::holds_alternative<Refused>(message)) {
            check(std::holds_alternative<Leave>(action), "a sender that refuses is not left");
            return false;
        } else {
            check(std::holds_alternative<NoAction>(action), "a sign of life has a consequence");
        }
        return true;
    }

    /// A log's name stays below the receiver's folder and the log server's.
    bool begin(const Start& start) {
        static const LogPlace place{.folder = "/logs", .host = "beta"};
        try {
            const LogTarget target = log_target(start, hello_, place, SocketAddress());
            check(target.file.empty() == start.log_file.empty(), "a log is made that was not asked for");
            check(target.file.empty() or
                      (target.file.parent_path() == place.folder and shows_as_it_is(target.file.native()) and
                       not target.file.filename().native().starts_with('.')),
                  "a log is outside its folder, or hidden");
            check(not target.shipped() or (log_name_error(target.folder_on_server).empty() and
                                           target.name_on_server.find('/') == std::string::npos),
                  "a log is outside its folder on the server");
            return true;
        } catch (const UsageError& error) {
            check_refusal({.reason = error.what(), .flow = std::nullopt});
            return false;
        }
    }

    Admission::Slot slot_;
    bool called_in_;
    ReceiverSession session_;
    Rules rules_;
    Hello hello_;
};

class Receiver {
public:
    void play(Choices& choices) {
        auto& sender = senders_.at(choices.below(kPlaces));
        const unsigned what = choices.below(8);
        if (not sender) {
            connect(sender, what % 2 == 0 ? "a" : "b", choices.one_in(4));
        } else if (what == 0) {
            clock_.advance(std::chrono::seconds(choices.next()));
            sender->send_results(clock_.now());
        } else if (what == 1 and choices.one_in(4)) {
            sender.reset();
        } else if (not sender->say(choices, clock_.now())) {
            sender.reset();
        }
    }

    void serve_one_that_does_not_lie() {
        for (auto& sender : senders_) {
            sender.reset();
        }
        connect(senders_.front(), "a", false);
        for (const Message& message :
             std::initializer_list<Message>{usual_hello(), OpenFlows{{flow_numbered(1)}}, ProbeRequest{}, Start{},
                                            Finish{.flows = {{FlowId{1}}}}}) {
            check(senders_.front()->say(serialize(message), clock_.now()), "a sender that does not lie is refused");
        }
    }

private:
    void connect(std::optional<Sender>& sender, const std::string& host, bool called_in) {
        const auto count = std::ranges::count_if(senders_, [](const auto& one) { return one.has_value(); });
        const auto verdict = admission_.verdict(host);
        check(count > 0 or verdict == Admission::Verdict::admitted, "a place is not given back");
        if (verdict == Admission::Verdict::admitted) {
            sender.emplace(admission_.admit(host), called_in);
        }
    }

    ManualClock clock_;
    Admission admission_{kPlaces, usual_share(kPlaces)};
    std::array<std::optional<Sender>, kPlaces> senders_;
};

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 1000;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    groma::Receiver receiver;
    while (choices.more()) {
        receiver.play(choices);
    }
    receiver.serve_one_that_does_not_lie();
    return 0;
}
