#include "sender/daemon/sender_daemon.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <list>
#include <set>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/connection.hpp"
#include "common/control/connection_gate.hpp"
#include "common/control/control_listeners.hpp"
#include "common/control/parsing_thread.hpp"
#include "common/control/task_group.hpp"
#include "common/os/host.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/daemon/daemon_run.hpp"
#include "sender/daemon/daemon_session.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr GateWords kWords{.daemon = "this daemon", .connections = "connections"};
constexpr std::string_view kPortTaken = "is another groma-send --daemon running? --daemon=PORT takes another port";

}  // namespace

struct SenderDaemon::State {
    State(SenderDaemonOptions given, Clock& its_clock)
        : options(std::move(given)),
          clock(its_clock),
          resolver({.time = options.times.lookup, .look_up = options.look_up}, clock),
          listeners(listen_all(io, options.listen, kPortTaken)),
          gate(clock, {.slots = options.max_connections, .slots_of_host = usual_share(options.max_connections)}, kWords,
               options.say) {}

    /// A run among those of the daemon, from its admission to its end, whatever that is.
    class Place {
    public:
        Place(State& state, DaemonRun& run) : state_(state), run_(run), log_(run.log()) {
            state_.runs.insert(&run_);
            state_.logs.insert(log_);
        }
        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;
        ~Place() {
            state_.logs.erase(log_);
            state_.runs.erase(&run_);
        }

    private:
        State& state_;
        DaemonRun& run_;
        std::string log_;
    };

    asio::awaitable<void> attend(Caller caller);
    asio::awaitable<void> gather(ControlConnection& connection, DaemonSession& session) const;
    asio::awaitable<void> serve(ControlConnection& connection);
    [[nodiscard]] std::unique_ptr<DaemonRun> admit(const RunRequest& request, std::vector<FlowSpec> flows);
    void stop();

    SenderDaemonOptions options;
    Clock& clock;
    Resolver resolver;
    asio::io_context io{1};
    ControlListeners listeners;
    ConnectionGate gate;
    TaskGroup tasks{io.get_executor()};
    std::set<DaemonRun*> runs;
    std::set<std::string> logs;  ///< files that runs are writing
    asio::signal_set signals{io};
    bool stopping = false;
    ParsingThread parsing;  ///< last: what it parses belongs to the connections
};

asio::awaitable<void> SenderDaemon::State::attend(Caller caller) {
    ControlConnection connection(std::move(caller.socket), options.times, clock, &parsing);
    std::string refusal = caller.refusal;
    try {
        if (refusal.empty()) {
            co_await serve(connection);
        }
    } catch (const std::exception& error) {
        refusal = error.what();
    }
    if (not refusal.empty()) {
        options.say(connection.peer() + ": refused: " + plain_text(refusal));
        if (connection.is_open()) {
            std::string last = serialize(DaemonMessage(RunRefused{.reason = refusal}));
            co_await connection.close_with_text(std::move(last));
        }
    }
    connection.close();
}

std::unique_ptr<DaemonRun> SenderDaemon::State::admit(const RunRequest& request, std::vector<FlowSpec> flows) {
    SenderOptions asked = options_of(request, std::move(flows), options.limits);
    asked.times = options.times;
    asked.shipping.times = options.shipping;
    if (runs.size() >= options.max_runs) {
        throw RunError("this daemon makes " + std::to_string(options.max_runs) +
                       " runs already, the most that it may (groma-send --daemon --max-runs N raises that)");
    }
    if (stopping) {
        throw RunError("this daemon is being stopped");
    }
    if (not asked.log.empty() and logs.contains(asked.log)) {
        throw RunError("log '" + request.log + "' is being written for another run: give another name");
    }
    return std::make_unique<DaemonRun>(
        DaemonRunPlace{.io = io, .make_thread = options.make_thread, .resolver = resolver, .clock = clock},
        std::move(asked));
}

/// Returns when the run was asked for.
asio::awaitable<void> SenderDaemon::State::gather(ControlConnection& connection, DaemonSession& session) const {
    DaemonSession::Step step{};
    do {
        DaemonMessage message = co_await connection.read_parsed(parse_daemon_message);
        step = session.on_message(std::move(message), clock.now());
        if (step == DaemonSession::Step::welcome) {
            std::string welcome = serialize(DaemonMessage(RunWelcome{}));
            co_await connection.write_text(std::move(welcome), "welcome");
            connection.allow(kMaxMessageBytes);
        }
    } while (step != DaemonSession::Step::run);
    connection.allow(kMaxShortMessageBytes);
}

asio::awaitable<void> SenderDaemon::State::serve(ControlConnection& connection) {
    DaemonSession session(options.limits, options.times.starting);
    co_await gather(connection, session);
    const RunRequest& request = session.request();
    std::vector<FlowSpec> flows = session.take_flows();
    const std::size_t count = flows.size();
    const std::unique_ptr<DaemonRun> run = admit(request, std::move(flows));
    const Place place(*this, *run);
    const std::string peer = connection.peer() + ": ";
    options.say(peer + "run '" + plain_text(request.experiment) + "' of " + plain_text(session.hello().host) +
                " begins: " + std::to_string(count) + " flows");
    const RunAccepted accepted{.program = "groma-send " GROMA_VERSION, .host = host_name()};
    co_await run->serve(connection, accepted);
    options.say(peer + plain_text(run->end_in_words()));
}

void SenderDaemon::State::stop() {
    if (std::exchange(stopping, true)) {
        return;
    }
    signals.clear();  // a second signal ends the program at once
    signals.cancel();
    gate.stop();
    for (auto& acceptor : listeners.acceptors) {
        boost::system::error_code ignored;
        acceptor.close(ignored);
    }
    for (DaemonRun* run : runs) {
        run->request_stop();
    }
}

SenderDaemon::SenderDaemon(SenderDaemonOptions options, Clock& clock)
    : state_(std::make_unique<State>(std::move(options), clock)) {}

SenderDaemon::~SenderDaemon() = default;

const std::vector<SocketAddress>& SenderDaemon::addresses() const {
    return state_->listeners.addresses;
}

void SenderDaemon::stop_on_signals() {
    state_->signals.add(SIGINT);
    state_->signals.add(SIGTERM);
    state_->signals.async_wait([state = state_.get()](const boost::system::error_code& error, int) {
        if (not error) {
            state->stop();
        }
    });
}

void SenderDaemon::run() {
    for (auto& acceptor : state_->listeners.acceptors) {
        state_->tasks.spawn(state_->gate.accept(
            acceptor, [state = state_.get()](Caller caller) { state->tasks.spawn(state->attend(std::move(caller))); }));
    }
    state_->io.run();
}

void SenderDaemon::stop() {
    boost::asio::post(state_->io, [state = state_.get()] { state->stop(); });
}

}  // namespace groma
