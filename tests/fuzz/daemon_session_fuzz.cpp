// Lying clients: messages of any kind in any order, with time in between, to a daemon (docs/guide/daemon.md). It takes
// no message before the greeting or after the time limit. A run has exactly the flows that were sent, and stays below
// the daemon's folders. Refusals reach the client, and an honest client gets its run afterwards.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/time/manual_clock.hpp"
#include "sender/daemon/daemon_session.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/sample_flow.hpp"

namespace groma {
namespace {

constexpr std::size_t kMostFlows = 6;
constexpr Nanos kStarting = std::chrono::minutes(5);

const DaemonLimits& limits() {
    static const DaemonLimits one{
        .log_dir = "/nonexistent/logs", .spool = "/nonexistent/spool", .max_flows = kMostFlows};
    return one;
}

FlowSpec flow_of(Choices& choices) {
    constexpr std::array kPayloads = {"", "random", "pattern:0f", "pattern:x", "file:/etc/passwd", "pcap:x"};
    FlowSpec flow = flow_numbered(choices.below(8));
    flow.name = choices.text();
    flow.transport = static_cast<Transport>(choices.below(8));
    flow.payload = kPayloads.at(choices.below(kPayloads.size()));
    flow.size = Constant{static_cast<double>(choices.next()) * 512};
    flow.meter = static_cast<Meter>(choices.below(2));
    if (choices.one_in(4)) {
        flow.stop.packets.reset();
    }
    return flow;
}

RunRequest usual_request() {
    RunRequest request;
    request.experiment = "voip";
    return request;
}

RunRequest request_of_choices(Choices& choices) {
    constexpr std::array kTransports = {"", "tcp", "udp", "mpi", "x"};
    RunRequest request = usual_request();
    if (choices.one_in(2)) {
        request.experiment = choices.text();
    }
    request.log = choices.text();
    request.receiver_log = choices.text();
    if (choices.one_in(2)) {
        request.log_server = choices.text();
        request.receiver_log_server = choices.text();
        request.require = choices.text();
        request.log_transport = kTransports.at(choices.below(kTransports.size()));
        request.receiver_log_transport = kTransports.at(choices.below(kTransports.size()));
        request.threads = choices.number<std::uint32_t>();
        request.log_block = choices.number<std::uint32_t>();
        request.log_rate = choices.number<std::uint64_t>();
    }
    return request;
}

std::string some_text(Choices& choices) {
    switch (choices.below(8)) {
        case 0:
            return serialize(RunHello{.version = choices.one_in(4) ? choices.number<std::uint32_t>() : kDaemonVersion,
                                      .program = choices.text(),
                                      .host = choices.text()});
        case 1:
        case 2:
        case 3: {
            RunFlows more;
            for (unsigned count = choices.below(4); count > 0; --count) {
                more.flows.push_back(flow_of(choices));
            }
            return serialize(more);
        }
        case 4:
        case 5:
            return serialize(request_of_choices(choices));
        case 6: {
            const std::array<DaemonMessage, 9> others = {StopRun{},    RunKeepAlive{}, RunAccepted{},
                                                         RunRefused{}, RunProgress{},  RunWarning{},
                                                         RunReport{},  RunEnded{},     RunWelcome{}};
            return serialize(others.at(choices.below(others.size())));
        }
        default:
            return choices.text();
    }
}

class Client {
public:
    /// Returns: whether the session continues.
    bool say(const std::string& text, MonoTime now) {
        bool is_due = false;
        try {
            const DaemonMessage message = parse_daemon_message(text, "peer");
            const bool allowed = allows(message, now);
            is_due = allowed and not std::holds_alternative<RunRequest>(message);
            const DaemonSession::Step step = session_.on_message(message, now);
            check(allowed, "a message was taken that has no place");
            return took(message, step, now);
        } catch (const std::exception& error) {
            check(not is_due, "a message was refused that has its place");
            check_refusal(error.what());
            return false;
        }
    }
    [[nodiscard]] bool runs() const { return runs_; }

private:
    static void check_refusal(const std::string& reason) {
        const auto again =
            std::get<RunRefused>(parse_daemon_message(serialize(RunRefused{.reason = reason}), "daemon"));
        check(not reason.empty() and again.reason.size() >= reason.size(), "a refusal does not reach the client");
    }

    [[nodiscard]] bool allows(const DaemonMessage& message, MonoTime now) const {
        if (not greeted_) {
            const auto* const hello = std::get_if<RunHello>(&message);
            return hello != nullptr and hello->version == kDaemonVersion;
        }
        if (const auto* const more = std::get_if<RunFlows>(&message)) {
            return now < deadline_ and not more->flows.empty() and flows_.size() + more->flows.size() <= kMostFlows;
        }
        return now < deadline_ and std::holds_alternative<RunRequest>(message);
    }

    bool took(const DaemonMessage& message, DaemonSession::Step step, MonoTime now) {
        if (const auto* const hello = std::get_if<RunHello>(&message)) {
            check(step == DaemonSession::Step::welcome and session_.hello() == *hello, "a greeting is not answered");
            greeted_ = true;
            deadline_ = now + kStarting;
            return true;
        }
        if (const auto* const more = std::get_if<RunFlows>(&message)) {
            check(step == DaemonSession::Step::none, "flows are answered");
            flows_.insert(flows_.end(), more->flows.begin(), more->flows.end());
            return true;
        }
        check(step == DaemonSession::Step::run and session_.request() == std::get<RunRequest>(message),
              "another run is made than was asked for");
        std::vector<FlowSpec> flows = session_.take_flows();
        check(flows == flows_, "a run has other flows than were sent");
        try {
            check_options(options_of(session_.request(), std::move(flows), limits()), session_.request());
            runs_ = true;
        } catch (const UsageError& error) {
            check(plain_lines(error.what()) == error.what(), "an error is not plain text");
            throw;
        }
        return false;
    }

    /// The limits of a client's requests.
    static void check_options(const SenderOptions& options, const RunRequest& request) {
        const std::filesystem::path log = options.log;
        check(request.log.empty() ? log.empty()
                                  : log.parent_path() == limits().log_dir and log.filename() == request.log and
                                        not request.log.starts_with('.') and shows_as_it_is(request.log),
              "a log is not in its folder, or hidden");
        check(options.spool_dir == limits().spool and not options.replace_log and options.realtime == Realtime::off and
                  options.pin.empty() and options.json_file.empty() and options.signal_line.empty() and
                  not options.passive and options.action == SenderOptions::Action::run,
              "a client decides what is the daemon's to decide");
        check(options.threads <= 256 and options.block_records >= 1 and options.block_records <= kMaxBlockRecords and
                  log_name_error(options.experiment.name).empty(),
              "a run has more than it may");
        std::set<FlowId> ids;
        for (const FlowSpec& flow : options.experiment.flows) {
            check(flow.id.value > 0 and ids.insert(flow.id).second and validate(flow).empty(), "a flow cannot be");
            check(not flow.payload.starts_with("file:") and not flow.payload.starts_with("pcap:"),
                  "a payload is a file of the daemon's host");
        }
        check(not ids.empty() and ids.size() <= kMostFlows, "a run has too many flows, or none");
    }

    DaemonSession session_{limits(), kStarting};
    bool greeted_ = false;
    bool runs_ = false;
    MonoTime deadline_{};
    std::vector<FlowSpec> flows_;
};

void ask_without_a_lie(MonoTime now) {
    Client client;
    for (const DaemonMessage& message :
         std::initializer_list<DaemonMessage>{RunHello{}, RunFlows{{flow_numbered(1)}}, usual_request()}) {
        (void)client.say(serialize(message), now);
    }
    check(client.runs(), "a client that does not lie gets no run");
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 600;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    groma::ManualClock clock;
    std::optional<groma::Client> client(std::in_place);
    while (choices.more()) {
        if (choices.one_in(8)) {
            clock.advance(std::chrono::seconds(choices.next()));
        }
        if (not client->say(groma::some_text(choices), clock.now())) {
            client.emplace();
        }
    }
    groma::ask_without_a_lie(clock.now());
    return 0;
}
