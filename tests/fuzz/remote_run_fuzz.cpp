// Lying daemons: any bytes and messages, in any order, to the client of groma-send --via. The client sends what a
// daemon accepts, accepts only what the protocol allows a daemon in its state (docs/guide/daemon.md), shows all of it
// as plain text, and ends when the daemon does.
#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "sender/daemon/daemon_session.hpp"
#include "sender/daemon/remote_run.hpp"
#include "tests/control_frames.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/sample_flow.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

SenderOptions usual_options() {
    SenderOptions options;
    options.experiment.name = "voip";
    options.experiment.flows = {flow_numbered(1), flow_numbered(2)};
    return options;
}

// The daemon's messages.

RunReport report_of(Choices& choices) {
    constexpr std::array kPieces = {"{", "}", "{\"flows\": [", "]", "\"\xff", "flow 1\n", "\x1b[2J\xe2\x80\xae", "{}"};
    RunReport report{.json = choices.one_in(2), .piece = {}};
    report.piece = choices.one_in(4) ? choices.text() : kPieces.at(choices.below(kPieces.size()));
    return report;
}

DaemonMessage message_of(Choices& choices) {
    switch (choices.below(12)) {
        case 0:
            return RunWelcome{.version = choices.one_in(4) ? choices.number<std::uint32_t>() : kDaemonVersion};
        case 1:
            return RunAccepted{.program = choices.text(), .host = choices.text()};
        case 2:
            return RunRefused{.reason = choices.text()};
        case 3:
            return RunProgress{.line = choices.text()};
        case 4:
            return RunWarning{.sentence = choices.text()};
        case 5: {
            RunEnded ended;
            for (unsigned count = choices.below(4); count > 0; --count) {
                ended.failures.push_back(choices.text());
            }
            return ended;
        }
        case 6:
            return RunKeepAlive{};
        case 7: {
            const std::array<DaemonMessage, 4> of_clients = {RunFlows{}, RunRequest{}, StopRun{}, RunHello{}};
            return of_clients.at(choices.below(of_clients.size()));
        }
        default:
            return report_of(choices);
    }
}

std::string bytes_of(Choices& choices) {
    std::string bytes;
    if (not choices.one_in(4)) {  // gets as far as the run
        bytes += framed(serialize(DaemonMessage(RunWelcome{}))) + framed(serialize(DaemonMessage(RunAccepted{})));
    }
    while (choices.more()) {
        if (choices.one_in(16)) {
            const std::string text = choices.text();
            bytes += choices.one_in(2) ? text : framed(text);
        } else {
            bytes += framed(serialize(message_of(choices)));
        }
    }
    return bytes;
}

/// Sends all of it to one client, and reads the client's messages until it ends.
class Daemon {
public:
    explicit Daemon(tcp::acceptor& acceptor, std::string bytes)
        : thread_([this, &acceptor, bytes = std::move(bytes)] { serve(acceptor, bytes); }) {}
    Daemon(const Daemon&) = delete;
    Daemon& operator=(const Daemon&) = delete;
    ~Daemon() { thread_.join(); }

    /// Requires: the client is at its end.
    std::string heard() {
        thread_.join();
        thread_ = std::thread([] {});
        return std::move(heard_);
    }

private:
    void serve(tcp::acceptor& acceptor, const std::string& bytes) {
        tcp::socket client = acceptor.accept();
        boost::system::error_code gone;
        asio::write(client, asio::buffer(bytes), gone);
        client.shutdown(tcp::socket::shutdown_send, gone);
        std::array<char, 4096> piece{};
        for (boost::system::error_code end; not end;) {
            heard_.append(piece.data(), client.read_some(asio::buffer(piece), end));
        }
        client.set_option(asio::socket_base::linger(true, 0), gone);  // leaves no port in TIME_WAIT
    }

    std::string heard_;
    std::thread thread_;
};

// The client's results.

/// The output for its user.
struct Told {
    std::optional<RunOutput> output;  ///< empty: an error
    std::vector<std::string> warnings;
    std::vector<std::string> progress;
};

/// By the protocol.
class Expected {
public:
    explicit Expected(std::string_view bytes) {
        while (not over_) {
            const auto text = next_text(bytes);
            if (not text) {
                return;
            }
            try {
                const DaemonMessage message = parse_daemon_message(*text, "daemon");
                over_ = not std::visit([this](const auto& one) { return take(one); }, message);
            } catch (const ProtocolError&) {
                return;
            }
        }
    }

    [[nodiscard]] const Told& told() const { return told_; }
    [[nodiscard]] bool greeted() const { return stage_ != Stage::greeting; }

private:
    enum class Stage : std::uint8_t { greeting, asked, running };

    // Whether the session continues.
    bool take(const RunWelcome& welcome) {
        const bool due = stage_ == Stage::greeting and welcome.version == kDaemonVersion;
        stage_ = due ? Stage::asked : stage_;
        return due;
    }
    bool take(const RunAccepted& accepted) {
        if (stage_ != Stage::asked) {
            return false;
        }
        stage_ = Stage::running;
        told_.warnings.push_back(plain_text("running on " + accepted.host + " (" + accepted.program + ")"));
        return true;
    }
    bool take(const RunKeepAlive&) { return stage_ != Stage::greeting; }
    bool take(const RunProgress& progress) {
        return stage_ == Stage::running and (told_.progress.push_back(plain_text(progress.line)), true);
    }
    bool take(const RunWarning& warning) {
        return stage_ == Stage::running and (told_.warnings.push_back(plain_text(warning.sentence)), true);
    }
    bool take(const RunReport& report) {
        (report.json ? said_.json : said_.text) += report.piece;
        return stage_ == Stage::running;
    }
    bool take(const RunEnded& ended) {
        if (stage_ == Stage::running and (said_.json.empty() or nlohmann::json::accept(said_.json))) {
            said_.text = plain_lines(said_.text);
            said_.failures = ended.failures;
            told_.output = said_;
        }
        return false;
    }
    template <typename Other>
    bool take(const Other&) {
        return false;
    }

    Told told_;
    RunOutput said_;
    Stage stage_ = Stage::greeting;
    bool over_ = false;
};

void check_same(const Told& told, const Told& expected, bool gave_up) {
    check(gave_up or (told.warnings == expected.warnings and told.progress == expected.progress),
          "a user is told something else than the daemon says");
    check(told.output.has_value() == expected.output.has_value() or (gave_up and not told.output),
          "a run has an end, or none, by other rules than the protocol's");
    if (told.output) {
        check(told.output->text == expected.output->text and told.output->json == expected.output->json and
                  told.output->failures == expected.output->failures,
              "a report is another than the daemon's");
    }
    for (const auto* const lines : {&told.warnings, &told.progress}) {
        check(std::ranges::all_of(*lines, shows_as_it_is), "what a daemon says is not plain text");
    }
}

/// The client's messages are acceptable to a daemon, as far as they get.
void check_said(std::string_view bytes, bool whole) {
    const DaemonLimits limits;
    const SenderOptions options = usual_options();
    DaemonSession session(limits);
    bool asked = false;
    while (const auto text = next_text(bytes)) {
        const DaemonMessage message = parse_daemon_message(*text, "client");
        if (asked) {
            check(std::holds_alternative<RunKeepAlive>(message) or std::holds_alternative<StopRun>(message),
                  "a client says what has no place during a run");
            continue;
        }
        asked = session.on_message(message, MonoTime{}) == DaemonSession::Step::run;
    }
    check(asked or not whole, "a client did not ask for its run");
    check(not asked or (session.take_flows() == options.experiment.flows and session.request() == request_of(options)),
          "a client asked for another run");
}

void play(Choices& choices) {
    static asio::io_context io{1};
    static tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    const unsigned stop_requests = choices.below(16) % 3;
    const std::string bytes = bytes_of(choices);
    Daemon daemon(acceptor, bytes);
    Told told;
    try {
        told.output =
            run_via(Target{.host = "127.0.0.1", .control_port = acceptor.local_endpoint().port()}, usual_options(),
                    {.clock = kernel_clock(),
                     .stop_requests = [&] { return stop_requests; },
                     .show_progress = [&](const std::string& line) { told.progress.push_back(line); },
                     .say = [&](const std::string& sentence) { told.warnings.push_back(sentence); }});
    } catch (const std::runtime_error& error) {
        check(plain_lines(error.what()) == error.what() and *error.what() != '\0', "an error is not plain text");
    }
    const Expected expected(bytes);
    check_same(told, expected.told(), stop_requests > 1);
    check_said(daemon.heard(), told.output.has_value());
}

}  // namespace
}  // namespace groma

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 400;
    groma::Choices choices(std::span(data, std::min(size, kMostBytes)));
    groma::play(choices);
    return 0;
}
