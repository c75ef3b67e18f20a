#include "sender/daemon/daemon_run.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/os/process.hpp"
#include "sender/daemon/logs_to_client.hpp"
#include "sender/report/report_json.hpp"
#include "sender/report/report_text.hpp"
#include "sender/run/posted_send.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

/// News that wait for a client that takes none; lines of progress beyond that are left out.
constexpr std::size_t kMostNews = 1000;
constexpr unsigned kStopAtOnce = 2;

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (not text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        lines.emplace_back(line);
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return lines;
}

}  // namespace

DaemonRun::DaemonRun(const DaemonRunPlace& place, SenderOptions options, std::string run_id, std::string sender)
    : io_(place.io),
      options_(std::move(options)),
      run_id_(std::move(run_id)),
      sender_(std::move(sender)),
      make_thread_(place.make_thread),
      resolver_(place.resolver),
      clock_(place.clock),
      board_(place.board),
      news_came_(io_.get_executor()),
      beat_(io_.get_executor(), clock_),
      tasks_(io_.get_executor()) {}

DaemonRun::~DaemonRun() {
    stop_requests_ += kStopAtOnce;
    start_.call_off();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void DaemonRun::request_stop() {
    ++stop_requests_;
    start_.call_off();
}

std::optional<SharedRun> DaemonRun::shared_run() {
    if (run_id_.empty()) {
        return std::nullopt;
    }
    return SharedRun{.run_id = run_id_, .sender = sender_, .has_folder = false, .agree_on_start = [this](Nanos margin) {
                         post_message(RunReady{.margin = margin});
                         return start_.wait(clock_, options_.times.starting, [] { return false; });
                     }};
}

void DaemonRun::post_message(DaemonMessage message) {
    asio::post(io_, [this, message = std::move(message)]() mutable {
        if (news_.size() < kMostNews) {
            news_.push_back(std::move(message));
        }
        news_came_.notify();
    });
}

void DaemonRun::make_run() noexcept {
    set_thread_name("groma-run");
    std::optional<LogsToClient> logs;
    if (not options_.logs_for_client.own.empty()) {
        logs.emplace([this](const DaemonMessage& message) {
            asio::co_spawn(io_, write(*connection_, message), asio::use_future).get();
        });
    }
    const Asker asker{.peer = client_, .gave_up = [this] { return stop_requests_ > 0; }};
    const bool verbose = options_.verbose;
    std::optional<PostedSend> posted;
    if (board_ != nullptr) {
        posted.emplace(*board_, options_, clock_);
    }
    try {
        const SendReport report = send_run(
            options_,
            {.clock = clock_,
             .stop_requests = [this] { return stop_requests_.load(); },
             .show_progress = [this](const std::string& line) { post_message(RunProgress{.line = line}); },
             .rows = posted ? std::optional(posted->rows({})) : std::nullopt,
             .shared = shared_run(),
             .say = [this](const std::string& one) { post_message(RunWarning{.sentence = one}); },
             .resolve = [&](std::string_view host, std::uint16_t port) { return resolver_.resolve(host, port, asker); },
             .log_taker = logs ? &*logs : nullptr,
             .live = &live_});
        figures_.add(report);
        output_.failures = failures(report);
        if (posted) {
            posted->end(report_text(report, verbose), report_json(report), output_.failures);
        }
        if (run_id_.empty()) {
            output_.text = report_text(report, verbose);
            output_.json = report_json(report);
        } else if (not logs) {  // else it has gone before them
            output_.json = report_of_part(report);
        }
    } catch (const std::exception& error) {
        output_.failures = lines_of(error.what());
        if (posted) {
            posted->end({}, {}, output_.failures);
        }
    }
    asio::post(io_, [this] {
        over_ = true;
        news_came_.notify();
    });
}

asio::awaitable<void> DaemonRun::serve(ControlConnection& connection, const RunAccepted& accepted) {
    const DaemonMessage yes = accepted;
    client_ = connection.peer_address().host_to_string();
    connection_ = &connection;
    thread_ = make_thread_([this] { make_run(); });
    tasks_.spawn(listen(connection));
    try {
        co_await write(connection, yes);
        tasks_.spawn(keep_alive(connection));
        co_await tell(connection);
    } catch (const ProtocolError&) {
        client_gone_ = true;
        stop_requests_ += kStopAtOnce;
        start_.call_off();
    }
    while (not over_) {
        co_await news_came_.wait();
    }
    thread_.join();  // it has nothing left to do
    told_ = true;
    beat_.cancel();
    if (not ended_.empty()) {
        output_.failures = {"the daemon has stopped the run: " + ended_};
    }
    if (not client_gone_ or not ended_.empty()) {
        std::string last = serialize(DaemonMessage(RunEnded{.failures = output_.failures}));
        co_await connection.close_with_text(std::move(last));
    }
    connection.close();
    co_await tasks_.join();
}

/// Everything that happens, and the reports at the end, as long as the client is there.
asio::awaitable<void> DaemonRun::tell(ControlConnection& connection) {
    while (not client_gone_ and (not over_ or not news_.empty())) {
        if (news_.empty()) {
            co_await news_came_.wait();
            continue;
        }
        const DaemonMessage message = std::move(news_.front());
        news_.pop_front();
        co_await write(connection, message);
    }
    if (not client_gone_) {
        co_await report(connection, false);
        co_await report(connection, true);
    }
}

asio::awaitable<void> DaemonRun::report(ControlConnection& connection, bool json) {
    const std::string& whole = json ? output_.json : output_.text;
    const std::vector<std::string> pieces = report_pieces(whole);
    for (const std::string& piece : pieces) {
        const DaemonMessage message = RunReport{.json = json, .piece = piece};
        co_await write(connection, message);
    }
}

void DaemonRun::take(const DaemonMessage& message, const std::string& peer) {
    if (std::holds_alternative<StopRun>(message)) {
        request_stop();
    } else if (const auto* const start = std::get_if<StartRun>(&message); start != nullptr and not run_id_.empty()) {
        start_.give(clock_.now() + start->in);
    } else if (not std::holds_alternative<RunKeepAlive>(message)) {
        throw ProtocolError(peer, "sent '" + std::string(type_name(message)) + "' during a run");
    }
}

asio::awaitable<void> DaemonRun::listen(ControlConnection& connection) {
    try {
        while (true) {
            const std::string text = co_await connection.read_text();
            const DaemonMessage message = parse_daemon_message(text, connection.peer());
            take(message, connection.peer());
        }
    } catch (const ProtocolError& error) {
        if (over_ and connection.is_open()) {
            co_return;  // nothing is under way but the reports
        }
        if (not over_) {
            client_gone_ = true;
            stop_requests_ += kStopAtOnce;
            start_.call_off();
            if (connection.is_open()) {
                ended_ = connection.why_ended().empty() ? error.what() : connection.why_ended();
            }
            news_came_.notify();
        }
        if (ended_.empty()) {
            connection.close();
        }
    }
}

asio::awaitable<void> DaemonRun::keep_alive(ControlConnection& connection) {
    const DaemonMessage sign_of_life = RunKeepAlive{};
    try {
        while (not told_ and (not client_gone_ or not ended_.empty())) {
            co_await write(connection, sign_of_life);
            co_await beat_.pause(options_.times.keep_alive);
        }
    } catch (const ProtocolError&) {
        // Whoever reads finds out as well.
    }
}

asio::awaitable<void> DaemonRun::write(ControlConnection& connection, const DaemonMessage& message) {
    std::string text = serialize(message);
    co_await connection.write_text(std::move(text), type_name(message));
}

EndedRuns DaemonRun::outcome() const {
    EndedRuns outcome = figures_;
    ++(output_.failures.empty() ? outcome.complete : outcome.failed);
    return outcome;
}

std::string DaemonRun::end_in_words() const {
    if (client_gone_) {
        return ended_.empty() ? "the client is gone: the run was stopped" : "the run was stopped: " + ended_;
    }
    return output_.failures.empty() ? "the run is complete" : "the run ended: " + output_.failures.front();
}

}  // namespace groma
