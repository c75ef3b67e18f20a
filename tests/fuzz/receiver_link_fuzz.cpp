// Lying receivers: any bytes and messages, in any order, split anywhere, to the sender's side of a control session,
// over a connection that either side has made. The sender sends what a receiver accepts, uses only received data,
// counts no answer twice, makes a report of any results, and releases everything when the session ends. A session with
// an honest receiver works afterwards.
#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/counts.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/endpoint.hpp"
#include "common/time/manual_clock.hpp"
#include "receiver/receiver_session.hpp"
#include "sender/links/receiver_link.hpp"
#include "sender/report/report_json.hpp"
#include "sender/report/report_text.hpp"
#include "tests/control_frames.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/loopback.hpp"
#include "tests/sample_flow.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr std::uint32_t kFlows = 2;
/// The number of the question what has arrived so far.
constexpr std::uint32_t kQuestion = std::numeric_limits<std::uint32_t>::max();

ReceiverResults usual_results() {
    ReceiverResults results;
    results.flows = {received(1), received(2)};
    return results;
}

/// An honest receiver's answer; empty if the message needs none.
std::optional<Message> answer_to(const Message& message) {
    if (std::holds_alternative<Hello>(message)) {
        return Welcome{};
    }
    if (const auto* const open = std::get_if<OpenFlows>(&message)) {
        FlowsOpened opened;
        for (const FlowSpec& flow : open->flows) {
            opened.flows.push_back({.flow = flow.id, .port = 9001});
        }
        return opened;
    }
    if (const auto* const probe = std::get_if<ProbeRequest>(&message)) {
        return ProbeReply{.number = probe->number};
    }
    if (const auto* const question = std::get_if<ProgressRequest>(&message)) {
        return ProgressReply{.number = question->number, .flows = {{FlowId{1}, {}}, {FlowId{2}, {}}}};
    }
    if (std::holds_alternative<Start>(message)) {
        return Started{};
    }
    return std::holds_alternative<Finish>(message) ? std::optional<Message>(usual_results()) : std::nullopt;
}

/// Of a clock that may be anywhere.
WallTime wall_time(Choices& choices) {
    const std::uint64_t half = choices.one_in(2) ? 1ULL << 63U : 0;
    return wall_time_from_ns(static_cast<std::int64_t>(choices.number<std::uint64_t>() ^ half));
}

ReceiverResults results_of(Choices& choices) {
    ReceiverResults results = usual_results();
    if (choices.one_in(8)) {
        results.flows[choices.below(2)].flow = FlowId{1 + choices.below(3)};
    }
    for (ReceivedFlow& flow : results.flows) {
        for (std::uint64_t* const count : {&flow.packets, &flow.bytes, &flow.duplicates, &flow.reordered, &flow.foreign,
                                           &flow.malformed, &flow.kernel_drops, &flow.records_lost, &flow.replies}) {
            *count = choices.number<std::uint64_t>();
        }
        if (choices.one_in(4)) {
            flow.state = choices.text();
            flow.coalescing = Coalescing{.packets = choices.number<std::uint64_t>(), .since = {}, .why = {}};
        }
    }
    results.log_error = choices.text();
    if (choices.one_in(4)) {
        results.shipment = {.to = choices.text(),
                            .reconnections = choices.number<std::uint64_t>(),
                            .largest_backlog = choices.number<std::uint64_t>(),
                            .not_spooled = choices.number<std::uint64_t>(),
                            .error = choices.text()};
        results.usage = CpuUsage{.user = Nanos{static_cast<Nanos::rep>(choices.number<std::uint64_t>() >> 2U)},
                                 .system = Nanos{choices.next()}};
    }
    return results;
}

Message lie(Choices& choices, std::uint32_t last_probe) {
    switch (choices.below(9)) {
        case 0: {
            Welcome welcome{.version = choices.one_in(4) ? choices.number<std::uint32_t>() : kProtocolVersion,
                            .program = choices.text(),
                            .host = choices.text(),
                            .boot_id = "b"};
            if (choices.one_in(4)) {
                welcome.about = {{choices.text() + "k", choices.text()}};
            }
            return welcome;
        }
        case 1: {
            FlowsOpened opened;
            for (unsigned count = choices.below(4); count > 0; --count) {
                opened.flows.push_back({.flow = FlowId{1 + choices.below(3)},
                                        .port = static_cast<std::uint16_t>(1 + choices.next()),
                                        .warning = choices.text()});
            }
            return opened;
        }
        case 2: {
            const std::uint32_t number = choices.one_in(4) ? choices.number<std::uint32_t>() : last_probe;
            if (number >= kQuestion - 1) {
                ProgressReply reply{.number = number, .all = {.packets = choices.number<std::uint64_t>()}};
                reply.flows.resize(choices.below(4), {.flow = FlowId{1 + choices.below(3)}, .arrived = {}});
                return reply;
            }
            return ProbeReply{.number = number, .received = wall_time(choices), .answered = wall_time(choices)};
        }
        case 3:
            return Started{.log_file = choices.text()};
        case 4:
        case 5:
            return results_of(choices);
        case 6: {
            Refused refused{.reason = choices.text(), .flow = std::nullopt};
            if (choices.one_in(2)) {
                refused.flow = FlowId{choices.next()};
            }
            return refused;
        }
        case 7:
            return KeepAlive{};
        default: {
            const std::array<Message, 6> others = {OpenFlows{}, ProbeRequest{}, Start{},
                                                   Finish{},    LogSection{},   LogRemoved{}};
            return others.at(choices.below(others.size()));
        }
    }
}

void check_plain(const std::string& sentence) {
    constexpr std::size_t kLongest = 4 * 2000 + 500;  // plain_text() writes four bytes for one at most
    check(not sentence.empty() and shows_as_it_is(sentence) and sentence.size() <= kLongest,
          "an error is not plain text, or has no end");
}

/// The report of a run with these results.
void report_on(const OpenedReceiver& opened, const ReceiverResults& results, const std::vector<ClockProbe>& probes) {
    SendReport report = faithful_run({"a", "b"});
    for (std::size_t i = 0; i < results.flows.size(); ++i) {
        FlowReport& flow = report.flows.at(i);
        flow.received = results.flows[i];
        flow.warnings = {opened.ports[i].warning};
        check(flow.lost().known() <= flow.outcome.fidelity.packets and flow.unique() <= flow.received->packets,
              "more was lost than sent, or more came than was received");
    }
    const auto total = total_received(report);
    for (const ReceivedFlow& flow : results.flows) {
        const auto held = [](std::uint64_t count) { return std::min(count, kLargestCount); };
        check(total and total->packets >= held(flow.packets) and total->bytes >= held(flow.bytes) and
                  total->records_lost >= held(flow.records_lost),
              "all flows together have less than one");
    }
    ReceiverReport& receiver = report.receivers.front();
    receiver.host = opened.welcome.host;
    receiver.about = opened.welcome.about;
    receiver.log_error = results.log_error;
    receiver.shipment = results.shipment;
    receiver.usage = results.usage;
    receiver.offset = offset_report(probes, report.started_at, report.started_at + report.elapsed);
    for (const bool verbose : {false, true}) {
        const std::string text = report_text(report, verbose);
        check(plain_lines(text) == text, "a report is not plain text");
    }
    check(nlohmann::json::accept(report_json(report)), "a report is not JSON");
    for (const std::string& sentence : failures(report)) {
        check_plain(sentence);
    }
}

class Session {
public:
    Session(asio::io_context& io, ManualClock& clock, bool called_in, const SessionTimes& times)
        : io_(io),
          rules_(Welcome{}, {.called_in = called_in}),
          link_(io, plan(called_in), clock, times),
          hello_{.lowest_version = 1,
                 .highest_version = 1,
                 .program = "groma-send",
                 .run_id = std::string(32, 'a'),
                 .experiment = "voip",
                 .host = "alpha",
                 .seed = 1} {
        if (called_in) {
            peer_.connect(acceptor_.local_endpoint());
            link_.adopt(ControlConnection(acceptor_.accept(), times, clock), "beta");
            link_.await_flows_at(std::vector<DialTarget>(kFlows, DialTarget{.port = 1, .token = {}}));
            asio::co_spawn(io_, open(), asio::detached);
        } else {
            asio::co_spawn(io_, open(), asio::detached);
            poll();
            acceptor_.accept(peer_);
        }
        peer_.non_blocking(true);
        peer_.set_option(tcp::no_delay(true));                 // data arrives at once
        peer_.set_option(asio::socket_base::linger(true, 0));  // leaves no port in TIME_WAIT
        hear();
    }

    void play(Choices& choices, ManualClock& clock) {
        switch (choices.below(12)) {
            case 0:
            case 1:
            case 2:
                tell_the_truth(choices.one_in(2) ? 1 : SIZE_MAX);
                break;
            case 3:
                go_on();
                break;
            case 4:
                clock.advance(std::chrono::milliseconds(choices.next() * (choices.one_in(4) ? 1000 : 1)));
                break;
            case 5:
                if (choices.one_in(4)) {
                    hang_up();
                }
                break;
            case 6: {
                const std::string bytes = choices.text();
                anything_ = true;
                write(choices.one_in(2) ? bytes : framed(bytes), choices);
                break;
            }
            default: {
                const Message message = lie(choices, last_probe_);
                said_[message.index()] = true;
                write(framed(serialize(message)), choices);
            }
        }
        hear();
    }

    void tell_the_truth(std::size_t most) {
        for (; most > 0 and not due_.empty(); --most) {
            const Message message = due_.front();
            due_.pop_front();
            said_[message.index()] = true;
            write_all(framed(serialize(message)));
            hear();
        }
    }
    /// Only later messages are answers to it.
    void go_on() {
        if (stage_ == Stage::opened or stage_ == Stage::started) {
            said_.fill(false);
        }
        if (stage_ == Stage::opened) {
            stage_ = Stage::busy;
            asio::co_spawn(io_, start(), asio::detached);
        } else if (stage_ == Stage::started) {
            stage_ = Stage::busy;
            link_.ask_progress({.number = kQuestion, .each_flow = true});
            asio::co_spawn(io_, finish(), asio::detached);
        }
        hear();
    }
    void hang_up() {
        boost::system::error_code ignored;
        peer_.close(ignored);
    }

    /// Ends all of the session.
    void end() {
        link_.close();
        hang_up();
        for (int i = 0; i < 10 and not io_.stopped(); ++i) {
            io_.poll();
        }
        check(io_.stopped(), "a session that was closed goes on");
        check(link_.at_rest() and stage_ != Stage::busy, "somebody waits for a session that is over");
        io_.restart();
        if (const auto why = link_.lost()) {
            check_plain(*why);
        }
    }
    [[nodiscard]] bool finished() const { return stage_ == Stage::finished; }

private:
    enum class Stage : std::uint8_t { busy, opened, started, finished, failed };

    ReceiverPlan plan(bool called_in) {
        ReceiverPlan plan{.address = {}, .flows = {}};
        for (std::uint32_t id = 1; id <= kFlows; ++id) {
            plan.flows.push_back(flow_numbered(id));
        }
        if (called_in) {
            plan.name = "beta";
        } else {
            plan.address = to_address(acceptor_.local_endpoint());
        }
        return plan;
    }

    asio::awaitable<void> open() {
        try {
            opened_ = co_await link_.open(hello_);
            stage_ = Stage::opened;
            check(said<Welcome>() and said<FlowsOpened>() and said<ProbeReply>(), "flows are open without a word");
            check(opened_.ports.size() == kFlows and opened_.ports[0].flow == FlowId{1} and
                      opened_.ports[1].flow == FlowId{2} and opened_.ports[0].port != 0,
                  "other flows are open");
        } catch (const RunError& error) {
            fail(error);
        }
    }
    asio::awaitable<void> start() {
        try {
            (void)co_await link_.start(Start{});
            stage_ = Stage::started;
            check(said<Started>(), "a run has begun without a word");
        } catch (const RunError& error) {
            fail(error);
        }
    }
    asio::awaitable<void> finish() {
        try {
            Finish finish;
            finish.flows = {{.flow = FlowId{1}, .packets = 1, .bytes = 1}};
            const ReceiverResults results = co_await link_.finish(std::move(finish));
            stage_ = Stage::finished;
            check(said<ReceiverResults>() and results.flows.size() == kFlows and results.flows[0].flow == FlowId{1} and
                      results.flows[1].flow == FlowId{2},
                  "there are results of other flows");
            report_on(opened_, results, link_.probes());
        } catch (const RunError& error) {
            fail(error);
        }
    }
    void fail(const RunError& error) {
        stage_ = Stage::failed;
        check_plain(error.what());
    }
    template <typename Kind>
    [[nodiscard]] bool said() const {
        return anything_ or said_[Message(Kind{}).index()];
    }

    void poll() {
        loopback_.settle();
        io_.poll();
        io_.restart();
        loopback_.settle();
    }
    void write_all(std::string_view bytes) {
        boost::system::error_code gone;
        (void)peer_.write_some(asio::buffer(bytes), gone);  // a socket's buffer takes it
        poll();
    }
    void write(const std::string& bytes, Choices& choices) {
        const std::size_t first = choices.one_in(4) ? std::min<std::size_t>(choices.next(), bytes.size()) : 0;
        write_all(std::string_view(bytes).substr(0, first));
        write_all(std::string_view(bytes).substr(first));
    }

    /// The sender's messages must be acceptable to a receiver.
    void hear() {
        poll();
        std::array<char, 4096> bytes{};
        boost::system::error_code end;
        while (const std::size_t count = peer_.read_some(asio::buffer(bytes), end)) {
            heard_.append(bytes.data(), count);
        }
        std::string_view rest = heard_;
        while (const auto text = next_text(rest)) {
            take(parse_message(*text, "sender"));
        }
        heard_.erase(0, heard_.size() - rest.size());
    }
    void take(const Message& message) {
        check(not std::holds_alternative<Refuse>(rules_.on_message(message, MonoTime{})),
              "a sender says what has no place");
        if (const auto* const probe = std::get_if<ProbeRequest>(&message)) {
            last_probe_ = probe->number;
            ++probes_;
        }
        if (auto answer = answer_to(message)) {
            due_.push_back(*std::move(answer));
        }
        check(link_.probes().size() <= probes_, "a probe is answered twice");
    }

    Loopback loopback_;
    asio::io_context& io_;
    tcp::acceptor acceptor_{io_, {asio::ip::address_v4::loopback(), 0}};
    tcp::socket peer_{io_};
    ReceiverSession rules_;
    ReceiverLink link_;
    Hello hello_;
    OpenedReceiver opened_;
    Stage stage_ = Stage::busy;
    std::string heard_;
    std::deque<Message> due_;  ///< answers that are still due
    std::array<bool, std::variant_size_v<Message>> said_{};
    bool anything_ = false;  ///< bytes were sent that may be any message
    std::uint32_t last_probe_ = 0;
    std::size_t probes_ = 0;
};

void play(Choices& choices) {
    asio::io_context io{1};
    ManualClock clock;
    SessionTimes times;
    if (choices.one_in(16)) {
        times.answer = Nanos{0};  // no answer comes in time
    }
    const bool again = choices.one_in(4);
    {
        Session session(io, clock, choices.one_in(2), times);
        while (choices.more()) {
            session.play(choices, clock);
        }
        session.end();
    }
    if (not again) {
        return;
    }
    Session session(io, clock, false, {});
    for (int i = 0; i < 3; ++i) {
        session.tell_the_truth(SIZE_MAX);
        session.go_on();
    }
    session.tell_the_truth(SIZE_MAX);
    check(session.finished(), "a receiver that does not lie is not served");
    session.end();
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 400;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    groma::play(choices);
    return 0;
}
