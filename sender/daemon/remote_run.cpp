#include "sender/daemon/remote_run.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/connection.hpp"
#include "common/control/task_group.hpp"
#include "common/control/timer.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"
#include "common/os/host.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/daemon/run_request.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr Nanos kTick = std::chrono::milliseconds(50);
/// Limit on a report's size, as the daemon is untrusted.
constexpr std::size_t kLargestReport = std::size_t{1} << 30U;
/// Of a joint run, whose report is parsed, for each flow: its histograms take up to some 400 KiB.
constexpr std::size_t kLargestFlowReport = std::size_t{1} << 20U;
constexpr Callee kDaemon{.what = "daemon", .program = "groma-send --daemon"};
constexpr Callee kAgent{.what = "agent", .program = "groma-send --agent"};
constexpr Callee kReceiver{};

/// Who makes the run, or the part of one.
Callee callee_of(const JointRun* joint) {
    return joint == nullptr ? kDaemon : joint->call ? kReceiver : kAgent;
}

class RemoteRun {
public:
    RemoteRun(const Target& daemon, const SenderOptions& options, const RemoteSurroundings& surroundings)
        : daemon_(daemon),
          in_reverse_(surroundings.joint != nullptr and surroundings.joint->call),
          callee_(callee_of(surroundings.joint)),
          options_(options),
          around_(surroundings) {}

    RunOutput run() {
        tasks_.spawn(converse());
        io_.run();
        if (error_) {
            std::rethrow_exception(error_);
        }
        output_.text = plain_lines(output_.text);
        if (not output_.json.empty() and not nlohmann::json::accept(output_.json)) {
            throw RunError("the " + std::string(callee_.what) + " at " + daemon_.host +
                           " sent a report that is not valid JSON: install the same release on both hosts");
        }
        return std::move(output_);
    }

private:
    asio::awaitable<void> converse() {
        try {
            const SocketAddress address = resolve(daemon_.host, daemon_.control_port);
            const std::optional<OfferedKey> key = key_for(address);
            connection_.emplace(
                co_await ControlConnection::connect(address, options_.times, around_.clock, callee_, key));
            co_await ask();
            tasks_.spawn(look_after());
            while (not ended_) {
                const std::string text = co_await connection_->read_text();
                take(parse_daemon_message(text, connection_->peer()));
            }
        } catch (const std::exception&) {
            error_ = error_ ? error_ : std::current_exception();
        }
        ended_ = true;
        pause_.cancel();
        if (connection_) {
            connection_->close();
        }
    }

    asio::awaitable<void> ask() {
        if (in_reverse_) {
            const Message reverse = AskReverse{};
            co_await connection_->write(reverse);
        }
        std::string hello =
            serialize(DaemonMessage(RunHello{.program = "groma-send " GROMA_VERSION, .host = host_name()}));
        co_await connection_->write_text(std::move(hello), "hello");
        const std::string answer = co_await connection_->read_text();
        const DaemonMessage first = first_of(answer);
        if (const auto* const refused = std::get_if<RunRefused>(&first)) {
            refuse(refused->reason + advice_on(refused->reason));
        }
        const auto* const welcome = std::get_if<RunWelcome>(&first);
        if (welcome == nullptr or welcome->version != kDaemonVersion) {
            throw ProtocolError(
                connection_->peer(),
                "answered '" + std::string(type_name(first)) + "' to 'hello'" +
                    (welcome != nullptr ? " in version " + std::to_string(welcome->version) + " of the protocol" : "") +
                    ": install the same release on both hosts");
        }
        try {
            for (const RunFlows& piece : flows_in_pieces(options_.experiment.flows)) {
                std::string text = serialize(DaemonMessage(piece));
                co_await connection_->write_text(std::move(text), "flows");
            }
            RunRequest request = request_of(options_);
            if (around_.joint != nullptr) {
                request.run_id = around_.joint->run_id;
                request.sender = around_.joint->sender;
            }
            if (connection_->is_private()) {
                request.keys = keys_of(options_, in_reverse_);
            }
            std::string text = serialize(DaemonMessage(request));
            co_await connection_->write_text(std::move(text), "run");
        } catch (const ProtocolError&) {
            // A daemon that refuses closes the connection. The reader finds its reason, or the same end.
        }
    }

    /// What answers may be another program.
    [[nodiscard]] DaemonMessage first_of(const std::string& answer) const {
        try {
            return parse_daemon_message(answer, connection_->peer());
        } catch (const ProtocolError& error) {
            throw RunError(std::string(error.what()) + " (" + other_program() + ')');
        }
    }
    [[nodiscard]] std::string advice_on(const std::string& refusal) const {
        if (refusal.find("knows no message '") != std::string::npos) {
            return "\nit is of an older release: install the same one on both hosts";
        }
        return refusal.find("cannot be read") == std::string::npos ? "" : '\n' + other_program();
    }
    [[nodiscard]] std::string other_program() const {
        return "is that the port of " + std::string(callee_.program) +
               ", of the same release? Other programs have others: "
               "groma-recv 9000, groma-log 9001, groma-send 9003";
    }

    /// Sends a keep-alive once a second and forwards the user's requests to stop.
    asio::awaitable<void> look_after() {
        MonoTime next_beat = around_.clock.now();
        heard_or_told_ = next_beat;
        unsigned told = 0;
        try {
            while (not ended_) {
                const unsigned wanted = around_.stop_requests();
                if (wanted > 1) {
                    throw RunError("gave up waiting for the " + std::string(callee_.what) + " at " +
                                   connection_->peer() + ", which has been told to stop the run");
                }
                const MonoTime now = around_.clock.now();
                const bool awaited = around_.joint != nullptr and (not was_ready_ or told > 0);
                if (awaited and now - heard_or_told_ > options_.times.starting) {
                    throw RunError("the " + std::string(callee_.what) + " at " + connection_->peer() +
                                   (told > 0 ? " does not end the run that it was told to stop"
                                             : " is not ready to start within " + human_time(options_.times.starting)) +
                                   ": it was left");
                }
                const std::optional<MonoTime> start = ready_ ? around_.joint->start_at() : std::nullopt;
                if (start) {
                    ready_ = false;
                    std::string text = serialize(DaemonMessage(StartRun{.in = std::max(*start - now, Nanos{0})}));
                    co_await connection_->write_text(std::move(text), "begin");
                } else if (wanted > told) {
                    told = wanted;
                    heard_or_told_ = now;
                    std::string stop = serialize(DaemonMessage(StopRun{}));
                    co_await connection_->write_text(std::move(stop), "stop");
                } else if (now >= next_beat) {
                    next_beat = now + options_.times.keep_alive;
                    std::string beat = serialize(DaemonMessage(RunKeepAlive{}));
                    co_await connection_->write_text(std::move(beat), "keep_alive");
                }
                co_await pause_.pause(kTick);
            }
        } catch (const RunError&) {
            error_ = std::current_exception();
            connection_->close();
        } catch (const ProtocolError&) {
            // The reader finds the error as well and reports it.
        }
    }

    void take(const DaemonMessage& message) {
        if (const auto* const refused = std::get_if<RunRefused>(&message)) {
            refuse(refused->reason);
        }
        if (std::holds_alternative<RunKeepAlive>(message)) {
            return;
        }
        if (std::holds_alternative<RunAccepted>(message) == accepted_) {
            throw out_of_place(message);
        }
        if (const auto* const accepted = std::get_if<RunAccepted>(&message)) {
            accepted_ = true;
            if (in_reverse_) {
                around_.joint->call(connection_->peer_address(), accepted->call);
            } else {
                say("running on " + accepted->host + " (" + accepted->program + ")");
            }
        } else if (const auto* const ready = std::get_if<RunReady>(&message);
                   ready != nullptr and around_.joint != nullptr and not was_ready_) {
            ready_ = was_ready_ = true;
            around_.joint->ready(ready->margin);
        } else if (const auto* const progress = std::get_if<RunProgress>(&message)) {
            if (around_.show_progress) {
                around_.show_progress(plain_text(progress->line));
            }
        } else if (const auto* const sentence = std::get_if<RunWarning>(&message)) {
            say(sentence->sentence);
        } else if (const auto* const report = std::get_if<RunReport>(&message)) {
            std::string& whole = report->json ? output_.json : output_.text;
            if (whole.size() + report->piece.size() > largest_report()) {
                throw RunError("the report of the " + std::string(callee_.what) + " does not end");
            }
            whole += report->piece;
        } else if (const auto* const log = std::get_if<RunLogSection>(&message); log != nullptr and takes_logs()) {
            heard_or_told_ = around_.clock.now();
            around_.joint->log(output_.json, *log);
        } else if (const auto* const lost = std::get_if<RunLogLost>(&message); lost != nullptr and takes_logs()) {
            around_.joint->log_lost(output_.json, *lost);
        } else if (const auto* const ended = std::get_if<RunEnded>(&message)) {
            output_.failures = ended->failures;
            ended_ = true;
        } else {
            throw out_of_place(message);
        }
    }

    [[nodiscard]] std::optional<OfferedKey> key_for(const SocketAddress& address) const {
        if (around_.joint != nullptr and around_.joint->key) {
            return OfferedKey{.name = "run", .host = host_label(daemon_.host), .key = *around_.joint->key};
        }
        return options_.key ? options_.key->offered_to(daemon_.host, address) : std::nullopt;
    }

    [[nodiscard]] bool takes_logs() const { return around_.joint != nullptr and around_.joint->log; }

    [[nodiscard]] std::size_t largest_report() const {
        const std::size_t of_flows = (options_.experiment.flows.size() + 1) * kLargestFlowReport;
        return around_.joint != nullptr ? std::min(of_flows, kLargestReport) : kLargestReport;
    }

    [[nodiscard]] ProtocolError out_of_place(const DaemonMessage& message) const {
        return {connection_->peer(), "sent '" + std::string(type_name(message)) + "' " +
                                         (accepted_ ? "during a run" : "before it accepted the run")};
    }

    [[noreturn]] void refuse(const std::string& reason) const {
        throw RunError("the " + std::string(callee_.what) + " at " + connection_->peer() + " refuses the run:\n" +
                       plain_lines(reason));
    }

    void say(const std::string& sentence) const {
        if (around_.say) {
            around_.say(plain_text(sentence));
        }
    }

    Target daemon_;
    bool in_reverse_;
    Callee callee_;
    const SenderOptions& options_;
    const RemoteSurroundings& around_;
    asio::io_context io_{1};
    TaskGroup tasks_{io_.get_executor()};
    Timer pause_{io_.get_executor(), around_.clock};
    std::optional<ControlConnection> connection_;
    RunOutput output_;
    std::exception_ptr error_;
    MonoTime heard_or_told_{};  ///< of a joint run, whose other parts wait for this one
    bool accepted_ = false;
    bool ready_ = false;      ///< and waits to be told the start
    bool was_ready_ = false;  ///< it says so once
    bool ended_ = false;
};

}  // namespace

RunOutput run_via(const Target& daemon, const SenderOptions& options, const RemoteSurroundings& surroundings) {
    return RemoteRun(daemon, options, surroundings).run();
}

}  // namespace groma
