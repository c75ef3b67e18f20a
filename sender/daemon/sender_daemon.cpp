#include "sender/daemon/sender_daemon.hpp"

#include <fcntl.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "common/control/connection.hpp"
#include "common/control/connection_gate.hpp"
#include "common/control/control_listeners.hpp"
#include "common/control/entrance.hpp"
#include "common/control/parsing_thread.hpp"
#include "common/control/supervision.hpp"
#include "common/control/task_group.hpp"
#include "common/http/metrics_server.hpp"
#include "common/os/checked.hpp"
#include "common/page/page_thread.hpp"
#include "sender/daemon/daemon_metrics.hpp"
#include "sender/daemon/daemon_runs.hpp"
#include "sender/run/sender_metrics.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr GateWords kWords{.daemon = "this daemon", .connection = "connection"};
constexpr EntranceWords kEntranceWords{.daemon = "this daemon", .clients = "clients"};
constexpr std::string_view kPortTaken = "is another groma-send --daemon running? --daemon=PORT takes another port";

}  // namespace

struct SenderDaemon::State {
    State(SenderDaemonOptions given, Clock& its_clock)
        : options(std::move(given)),
          clock(its_clock),
          resolver({.time = options.times.lookup, .look_up = options.look_up}, clock),
          entrance(io, options.keys, kEntranceWords, clock, options.say),
          listeners(listen_all(io, options.listen, kPortTaken)),
          gate(clock,
               {.slots = options.max_connections,
                .slots_of_host = usual_share(options.max_connections),
                .later = entrance.asks_for_keys()},
               kWords, options.say),
          spool_budget(std::make_shared<SpoolBudget>(options.spool_bytes)),
          runs({.max_runs = options.max_runs,
                .limits = options.limits,
                .serves = options.serves,
                .of_client = options.leash >= 0,
                .times = options.times,
                .shipping = options.shipping,
                .spool_budget = spool_budget,
                .make_thread = options.make_thread,
                .say = options.say,
                .audit = options.audit,
                .board = options.page.empty() ? nullptr : &board},
               io, resolver, clock) {
        entrance.report_to(options.audit);
        if (not options.web.certificate.empty()) {
            web.emplace(options.web, clock, options.say, options.audit);
        }
        if (not options.metrics.empty()) {
            metrics.emplace(io,
                            MetricsPage{.listen = options.metrics,
                                        .program = "groma-send --daemon",
                                        .access = web ? &*web : nullptr,
                                        .give = [this](Exposition& to) { give_metrics(to); },
                                        .say = options.say},
                            clock);
        }
        if (not options.page.empty()) {
            page.emplace(PageOptions{.listen = options.page,
                                     .program = "groma-send --daemon",
                                     .access = web ? &*web : nullptr,
                                     .say = options.say},
                         board, clock);
        }
    }

    asio::awaitable<void> attend(Caller caller);
    asio::awaitable<void> stop_with_leash();
    void give_metrics(Exposition& to) const;
    void stop();

    SenderDaemonOptions options;
    Clock& clock;
    Resolver resolver;
    asio::io_context io{1};
    asio::posix::stream_descriptor leash{io};
    Entrance entrance;
    ControlListeners listeners;
    ConnectionGate gate;
    std::shared_ptr<SpoolBudget> spool_budget;  ///< of all runs
    RunBoard board;
    DaemonRuns runs;
    TaskGroup tasks{io.get_executor()};
    std::optional<WebAccess> web;
    std::optional<MetricsServer> metrics;
    std::optional<PageThread> page;
    Supervision supervision{io, clock};
    bool stopping = false;
    ParsingThread parsing;  ///< last: what it parses belongs to the connections
};

asio::awaitable<void> SenderDaemon::State::attend(Caller caller) {
    std::optional<ControlConnection> connection =
        co_await entrance.admit(std::move(caller.socket), caller.refusal, options.times, &parsing);
    const bool later = connection and entrance.asks_for_keys();
    if (later and not gate.give_slot(caller, connection->peer_address().host_to_string())) {
        co_return;
    }
    if (connection) {
        co_await runs.serve(*connection, std::move(caller.refusal));
    }
}

asio::awaitable<void> SenderDaemon::State::stop_with_leash() {
    std::array<char, 256> ignored{};
    boost::system::error_code error;
    while (not error) {
        std::tie(error, std::ignore) =
            co_await leash.async_read_some(asio::buffer(ignored), asio::as_tuple(asio::use_awaitable));
    }
    stop();
}

void SenderDaemon::State::give_metrics(Exposition& to) const {
    to.add(sender_metrics(), runs.so_far());
    to.add(daemon_metrics(), {.counts = runs.counts(),
                              .open_runs = runs.open_runs(),
                              .turned_away = entrance.turned_away(),
                              .spool_bytes = spool_budget->used(),
                              .spool_max_bytes = spool_budget->limit()});
}

void SenderDaemon::State::stop() {
    if (std::exchange(stopping, true)) {
        return;
    }
    boost::system::error_code closed;
    leash.close(closed);
    supervision.end();
    entrance.stop();
    if (web) {
        web->end();
    }
    if (metrics) {
        metrics->stop();
    }
    gate.stop();
    for (auto& acceptor : listeners.acceptors) {
        boost::system::error_code ignored;
        acceptor.close(ignored);
    }
    runs.stop();
}

SenderDaemon::SenderDaemon(SenderDaemonOptions options, Clock& clock)
    : state_(std::make_unique<State>(std::move(options), clock)) {}

SenderDaemon::~SenderDaemon() = default;

const std::vector<SocketAddress>& SenderDaemon::addresses() const {
    return state_->listeners.addresses;
}

void SenderDaemon::stop_on_signals() {
    state_->entrance.read_again_on_hangup();
    if (state_->web) {
        state_->web->read_again_on_hangup(state_->io);
    }
    state_->supervision.begin([state = state_.get()] { state->stop(); });
}

void SenderDaemon::run() {
    for (auto& acceptor : state_->listeners.acceptors) {
        state_->tasks.spawn(state_->gate.accept(
            acceptor, [state = state_.get()](Caller caller) { state->tasks.spawn(state->attend(std::move(caller))); }));
    }
    if (state_->options.leash >= 0) {
        state_->leash.assign(checked("duplicate a descriptor", ::fcntl(state_->options.leash, F_DUPFD_CLOEXEC, 0)));
        state_->tasks.spawn(state_->stop_with_leash());
    }
    if (state_->metrics) {
        state_->metrics->start();
    }
    state_->io.run();
}

void SenderDaemon::stop() {
    boost::asio::post(state_->io, [state = state_.get()] { state->stop(); });
}

}  // namespace groma
