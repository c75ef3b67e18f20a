#include "receiver/receiver_server.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <list>
#include <optional>

#include "common/base/plain_text.hpp"
#include "common/control/connection_gate.hpp"
#include "common/control/control_listeners.hpp"
#include "common/control/entrance.hpp"
#include "common/control/parsing_thread.hpp"
#include "common/control/supervision.hpp"
#include "common/control/timer.hpp"
#include "common/http/metrics_server.hpp"
#include "common/os/host.hpp"
#include "common/page/page_thread.hpp"
#include "receiver/live_meter.hpp"
#include "receiver/receiver_metrics.hpp"
#include "receiver/sender_caller.hpp"
#include "receiver/session_server.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr GateWords kWords{.daemon = "this receiver",
                           .connection = "session",
                           .slots_option = "groma-recv --max-sessions N",
                           .host_option = "groma-recv --max-per-host N"};

constexpr EntranceWords kEntranceWords{.daemon = "this receiver", .clients = "senders"};

}  // namespace

struct ReceiverServer::State {
    State(ReceiverServerOptions given, Clock& its_clock)
        : options(std::move(given)),
          clock(its_clock),
          entrance(io, options.keys, kEntranceWords, clock, options.say),
          listeners(options.dial ? ControlListeners{} : listen_all(io, options.listen)),
          workers(start_receiving(options.threads, options.say)),
          resolver({.time = options.times.lookup, .look_up = options.look_up}, clock),
          shippers({.program = "groma-recv " GROMA_VERSION,
                    .spool = options.spool,
                    .limits = options.shipping,
                    .budget = options.spool_budget ? options.spool_budget
                                                   : std::make_shared<SpoolBudget>(options.shipping.spool_bytes),
                    .report = [say = options.say](const std::string& sentence) { say(plain_text(sentence)); },
                    .offer = options.offer},
                   options.shipper, resolver, clock),
          desk(options.reverse ? options.reverse(io, resolver) : nullptr),
          environment{.clock = clock,
                      .workers = workers,
                      .log_shippers = shippers,
                      .left_logs = left_logs,
                      .identity = {.program = "groma-recv " GROMA_VERSION, .host = host_name(), .boot_id = boot_id()},
                      .limits = {.max_flows = options.max_flows,
                                 .starting = options.times.starting,
                                 .called_in = options.dial.has_value(),
                                 .keys = entrance.asks_for_keys(),
                                 .reverse = desk != nullptr,
                                 .asked = options.dial ? options.dial->asked : std::nullopt},
                      .log_place = {.folder = options.log_dir,
                                    .host = host_name(),
                                    .replace_logs = options.replace_logs,
                                    .spool = options.spool,
                                    .servers = options.log_servers,
                                    .key_logs = options.key_logs},
                      .data_ports = options.data_ports,
                      .signal_line = options.signal_line,
                      .reverse = desk.get(),
                      .gro = options.gro,
                      .queue_records = options.queue_records,
                      .block_records = options.block_records,
                      .keep_alive_interval = options.times.keep_alive,
                      .keepalive_interval = options.dial ? options.dial->keepalive_interval : Nanos{0},
                      .served = options.dial ? "" : options.reach.in_words(),
                      .say = options.say,
                      .refusal_lines = refusal_lines,
                      .counts = counts,
                      .delays = options.metrics.empty() ? nullptr : &counts.delays,
                      .audit = options.audit,
                      .board = options.page.empty() ? nullptr : &board,
                      .watched_flows = &watched_flows},
          gate(clock,
               {.slots = options.max_sessions,
                .slots_of_host = options.max_per_host.value_or(usual_share(options.max_sessions)),
                .later = entrance.asks_for_keys()},
               kWords, options.say) {
        entrance.report_to(options.audit);
        if (not options.web.certificate.empty()) {
            web.emplace(options.web, clock, options.say, options.audit);
        }
        if (not options.metrics.empty()) {
            metrics.emplace(io,
                            MetricsPage{.listen = options.metrics,
                                        .program = "groma-recv",
                                        .access = web ? &*web : nullptr,
                                        .give = [this](Exposition& to) { give_metrics(to); },
                                        .say = options.say},
                            clock);
        }
        if (not options.page.empty()) {
            page.emplace(PageOptions{.listen = options.page,
                                     .program = "groma-recv",
                                     .access = web ? &*web : nullptr,
                                     .say = options.say},
                         board, clock);
        }
        if (options.dial) {
            sender_caller.emplace(*options.dial, SenderCaller::Surroundings{.executor = io.get_executor(),
                                                                            .clock = clock,
                                                                            .times = options.times,
                                                                            .program = environment.identity.program,
                                                                            .say = options.say});
        }
    }

    asio::awaitable<void> dial();
    /// Returns: whether it received packets.
    asio::awaitable<bool> attend(ControlConnection connection, KeyLoads::Share share);
    asio::awaitable<void> attend_caller(Caller caller);
    asio::awaitable<void> report_live(Nanos interval);
    asio::awaitable<void> post_rows();
    /// Without each flow.
    [[nodiscard]] LiveTotals totals() const;
    [[nodiscard]] LiveTotals live_totals() const;
    void give_metrics(Exposition& to) const;
    void stop();

    ReceiverServerOptions options;
    Clock& clock;
    asio::io_context io{1};
    Entrance entrance;
    ControlListeners listeners;
    ReceiveWorkers workers;
    Resolver resolver;
    LogShippers shippers;
    LeftLogs left_logs{options.times.starting};
    std::unique_ptr<ReverseDesk> desk;
    RefusalLines refusal_lines;
    KeyLoads key_loads;
    ReceiverCounts counts;
    WatchedFlows watched_flows;
    RunBoard board;
    SessionEnvironment environment;
    ConnectionGate gate;
    TaskGroup tasks{io.get_executor()};
    std::list<SessionServer> sessions;
    LiveTotals ended;  ///< packets and bytes of ended sessions
    Timer live_pause{io.get_executor(), clock};
    Timer row_pause{io.get_executor(), clock};
    std::optional<SenderCaller> sender_caller;
    std::optional<WebAccess> web;
    std::optional<MetricsServer> metrics;
    std::optional<PageThread> page;
    Supervision supervision{io, clock};
    bool stopping = false;
    ParsingThread parsing;  ///< last: destroyed before the sessions whose messages it parses
};

asio::awaitable<void> ReceiverServer::State::attend_caller(Caller caller) {
    std::optional<ControlConnection> admitted =
        co_await entrance.admit(std::move(caller.socket), caller.refusal, options.times, &parsing);
    if (not admitted) {
        co_return;
    }
    ControlConnection connection = *std::move(admitted);
    if (entrance.asks_for_keys() and not gate.give_slot(caller, connection.peer_address().host_to_string())) {
        ++counts.refused_room;
        co_return;
    }
    counts.refused_room += caller.refusal.empty() ? 0U : 1U;
    KeyLoads::Share share;
    if (caller.refusal.empty()) {
        share = key_loads.enter(connection.grant());
        caller.refusal = share.ask({});
        counts.refused_limit += caller.refusal.empty() ? 0U : 1U;
    }
    if (not caller.refusal.empty()) {
        if (options.audit) {
            options.audit({.what = "session",
                           .from = connection.peer(),
                           .key = connection.grant() ? connection.grant()->name : "",
                           .why = caller.refusal});
        }
        const Message last = Refused{.reason = caller.refusal, .flow = std::nullopt};
        co_await connection.close_with(last);
        co_return;
    }
    co_await attend(std::move(connection), std::move(share));
}

asio::awaitable<void> ReceiverServer::State::dial() {
    const SenderCaller::Attend serve = [this](ControlConnection connection) {
        return attend(std::move(connection), KeyLoads::Share());
    };
    co_await sender_caller->call_on(serve);
    stop();
}

asio::awaitable<bool> ReceiverServer::State::attend(ControlConnection connection, KeyLoads::Share share) {
    ++counts.sessions;
    left_logs.forget_old(environment.clock.now());
    const auto session =
        sessions.emplace(sessions.end(), std::move(connection), std::move(share), environment, io.get_executor());
    try {
        co_await session->serve();
    } catch (const std::exception& error) {
        options.say(std::string("a session ended with an error: ") + error.what());
    }
    const FlowCounts received = session->counts();
    ended.packets += received.packets;
    ended.bytes += received.bytes;
    const bool ran = session->ran();
    sessions.erase(session);
    co_return ran;
}

LiveTotals ReceiverServer::State::totals() const {
    LiveTotals sum = ended;
    sum.sessions = sessions.size();
    for (const SessionServer& session : sessions) {
        const FlowCounts received = session.counts();
        sum.packets += received.packets;
        sum.bytes += received.bytes;
        sum.missing += received.missing;
        sum.flows += session.flows();
    }
    return sum;
}

LiveTotals ReceiverServer::State::live_totals() const {
    LiveTotals all = totals();
    for (const SessionServer& session : sessions) {
        for (const FlowSoFar& flow : session.each_flow()) {
            all.each_flow.push_back({session.peer(), flow});
        }
    }
    return all;
}

void ReceiverServer::State::give_metrics(Exposition& to) const {
    to.add(receiver_metrics(), {.counts = counts,
                                .totals = totals(),
                                .turned_away = entrance.turned_away(),
                                .spool_bytes = shippers.spool_budget().used(),
                                .spool_max_bytes = shippers.spool_budget().limit()});
}

asio::awaitable<void> ReceiverServer::State::report_live(Nanos interval) {
    MonoTime due = clock.now();
    LiveMeter meter(due);
    while (true) {
        due += interval;
        co_await live_pause.wait(due);
        if (stopping) {
            co_return;
        }
        options.live_line(meter.lines(live_totals(), clock.now()));
    }
}

asio::awaitable<void> ReceiverServer::State::post_rows() {
    MonoTime due = clock.now();
    while (not stopping) {
        due = std::max(due + kBoardInterval, clock.now());  // after a stall none are made up for
        co_await row_pause.wait(due);
        std::ranges::for_each(sessions, &SessionServer::post_row);
    }
}

void ReceiverServer::State::stop() {
    if (std::exchange(stopping, true)) {
        return;
    }
    supervision.end();
    entrance.stop();
    live_pause.cancel();
    if (web) {
        web->end();
    }
    row_pause.cancel();
    if (metrics) {
        metrics->stop();
    }
    gate.stop();
    shippers.stop();
    if (desk != nullptr) {
        desk->stop();
    }
    if (sender_caller and sender_caller->stop()) {
        io.stop();  // without a session, no need to wait for the sender
    }
    for (auto& acceptor : listeners.acceptors) {
        boost::system::error_code ignored;
        acceptor.close(ignored);
    }
    for (SessionServer& session : sessions) {
        session.interrupt();
    }
}

ReceiverServer::ReceiverServer(ReceiverServerOptions options, Clock& clock)
    : state_(std::make_unique<State>(std::move(options), clock)) {}

ReceiverServer::~ReceiverServer() = default;

const std::vector<SocketAddress>& ReceiverServer::addresses() const {
    return state_->listeners.addresses;
}

void ReceiverServer::stop_on_signals() {
    state_->entrance.read_again_on_hangup();
    if (state_->web) {
        state_->web->read_again_on_hangup(state_->io);
    }
    state_->supervision.begin([state = state_.get()] { state->stop(); });
}

void ReceiverServer::run() {
    for (auto& acceptor : state_->listeners.acceptors) {
        state_->tasks.spawn(state_->gate.accept(acceptor, [state = state_.get()](Caller caller) {
            state->tasks.spawn(state->attend_caller(std::move(caller)));
        }));
    }
    if (state_->sender_caller) {
        state_->tasks.spawn(state_->dial());
    }
    if (state_->metrics) {
        state_->metrics->start();
    }
    if (state_->page) {
        state_->tasks.spawn(state_->post_rows());
    }
    if (state_->options.live) {
        state_->tasks.spawn(state_->report_live(*state_->options.live));
    }
    state_->io.run();
}

void ReceiverServer::stop() {
    boost::asio::post(state_->io, [state = state_.get()] { state->stop(); });
}

}  // namespace groma
