#include "sender/daemon/daemon_runs.hpp"

#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/host.hpp"
#include "sender/daemon/daemon_messages.hpp"

namespace groma {

namespace asio = boost::asio;

DaemonRuns::DaemonRuns(DaemonRunsOptions options, asio::io_context& io, Resolver& resolver, Clock& clock)
    : options_(std::move(options)), io_(io), resolver_(resolver), clock_(clock) {}

asio::awaitable<void> DaemonRuns::serve(ControlConnection& connection, std::string refusal) {
    try {
        if (refusal.empty()) {
            co_await run_for(connection);
        }
    } catch (const std::exception& error) {
        refusal = error.what();
    }
    if (not refusal.empty()) {
        options_.say(connection.peer() + ": refused: " + plain_text(refusal));
        if (connection.is_open()) {
            std::string last = serialize(DaemonMessage(RunRefused{.reason = refusal}));
            co_await connection.close_with_text(std::move(last));
        }
    }
    connection.close();
}

std::unique_ptr<DaemonRun> DaemonRuns::admit(const RunRequest& request, std::vector<FlowSpec> flows) {
    SenderOptions asked = options_of(request, std::move(flows), options_.limits);
    asked.times = options_.times;
    asked.shipping.times = options_.shipping;
    if (runs_.size() >= options_.max_runs) {
        throw RunError("this daemon makes " + std::to_string(options_.max_runs) +
                       " runs already, the most that it may (groma-send --daemon --max-runs N raises that)");
    }
    if (stopping_) {
        throw RunError("this daemon is being stopped");
    }
    if (not asked.log.empty() and logs_.contains(asked.log)) {
        throw RunError("log '" + request.log + "' is being written for another run: give another name");
    }
    return std::make_unique<DaemonRun>(
        DaemonRunPlace{.io = io_, .make_thread = options_.make_thread, .resolver = resolver_, .clock = clock_},
        std::move(asked));
}

/// Returns when the run was asked for.
asio::awaitable<void> DaemonRuns::gather(ControlConnection& connection, DaemonSession& session) const {
    DaemonSession::Step step{};
    do {
        DaemonMessage message = co_await connection.read_parsed(parse_daemon_message);
        step = session.on_message(std::move(message), clock_.now());
        if (step == DaemonSession::Step::welcome) {
            std::string welcome = serialize(DaemonMessage(RunWelcome{}));
            co_await connection.write_text(std::move(welcome), "welcome");
            connection.allow(kMaxMessageBytes);
        }
    } while (step != DaemonSession::Step::run);
    connection.allow(kMaxShortMessageBytes);
}

asio::awaitable<void> DaemonRuns::run_for(ControlConnection& connection) {
    DaemonSession session(options_.limits, options_.times.starting);
    co_await gather(connection, session);
    const RunRequest& request = session.request();
    std::vector<FlowSpec> flows = session.take_flows();
    const std::size_t count = flows.size();
    const std::unique_ptr<DaemonRun> run = admit(request, std::move(flows));
    const Place place(*this, *run);
    const std::string peer = connection.peer() + ": ";
    options_.say(peer + "run '" + plain_text(request.experiment) + "' of " + plain_text(session.hello().host) +
                 " begins: " + std::to_string(count) + " flows");
    const RunAccepted accepted{.program = "groma-send " GROMA_VERSION, .host = host_name()};
    co_await run->serve(connection, accepted);
    options_.say(peer + plain_text(run->end_in_words()));
}

void DaemonRuns::stop() {
    stopping_ = true;
    for (DaemonRun* run : runs_) {
        run->request_stop();
    }
}

}  // namespace groma
