#include "sender/daemon/daemon_runs.hpp"

#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/host.hpp"
#include "sender/daemon/daemon_messages.hpp"

namespace groma {

namespace asio = boost::asio;

namespace {

/// A connection among those of clients that have not asked for their run yet.
class Asking {
public:
    Asking(std::set<ControlConnection*>& all, ControlConnection& one) : all_(all), one_(one) { all_.insert(&one_); }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;
    ~Asking() { all_.erase(&one_); }

private:
    std::set<ControlConnection*>& all_;
    ControlConnection& one_;
};

/// There is no room for one more run.
class NoRoomForRun : public RunError {
public:
    using RunError::RunError;
};

std::string key_of(const ControlConnection& connection) {
    return connection.grant() ? connection.grant()->name : "";
}

}  // namespace

DaemonRuns::DaemonRuns(DaemonRunsOptions options, asio::io_context& io, Resolver& resolver, Clock& clock)
    : options_(std::move(options)), io_(io), resolver_(resolver), clock_(clock) {}

asio::awaitable<void> DaemonRuns::serve(ControlConnection& connection, std::string refusal) {
    try {
        if (refusal.empty()) {
            co_await run_for(connection);
        } else {
            ++counts_.refused_room;
        }
    } catch (const NoRoomForRun& error) {
        ++counts_.refused_room;
        refusal = error.what();
    } catch (const std::exception& error) {
        ++counts_.refused_request;
        refusal = error.what();
    }
    if (not refusal.empty()) {
        refusal_lines_.tell(options_.say, connection.peer_address().host_to_string(),
                            connection.caller() + ": refused: " + plain_text(refusal), clock_.now());
        audit(connection, {}, refusal);
        if (connection.is_open()) {
            std::string last = serialize(DaemonMessage(RunRefused{.reason = refusal}));
            co_await connection.close_with_text(std::move(last));
        }
    }
    connection.close();
}

void DaemonRuns::audit(const ControlConnection& connection, const std::string& experiment,
                       const std::string& why) const {
    if (options_.audit) {
        options_.audit({.what = "run",
                        .allowed = why.empty(),
                        .from = connection.peer(),
                        .key = key_of(connection),
                        .subject = experiment,
                        .why = why});
    }
}

void DaemonRuns::expect_room() const {
    if (runs_.size() >= options_.max_runs) {
        throw NoRoomForRun("this " + options_.who + " makes " + counted(options_.max_runs, "run") +
                           " already, the most that it may (" + options_.max_runs_option + " raises that)");
    }
    if (stopping_) {
        throw NoRoomForRun("this " + options_.who + " is being stopped");
    }
}

std::unique_ptr<DaemonRun> DaemonRuns::admit(const RunRequest& request, SenderOptions asked) {
    asked.times = options_.times;
    asked.shipping.times = options_.shipping;
    asked.spool_budget = options_.spool_budget;
    asked.key_logs = options_.key_logs;
    asked.serves = options_.serves;
    if (not asked.log.empty() and logs_.contains(asked.log)) {
        throw RunError("log '" + request.log + "' is being written for another run: give another name");
    }
    return std::make_unique<DaemonRun>(DaemonRunPlace{.io = io_,
                                                      .make_thread = options_.make_thread,
                                                      .resolver = resolver_,
                                                      .clock = clock_,
                                                      .board = options_.board},
                                       std::move(asked), request.run_id, request.sender);
}

KeyLoads::Share DaemonRuns::bound(const std::optional<Grant>& grant, SenderOptions& asked) {
    if (asked.bounds) {
        asked.bounds->client = grant;
        // Who asked for it in reverse has proved one.
        asked.bounds->only_to_proved = grant.has_value() and not asked.passive and not options_.of_client;
    }
    KeyLoads::Share share = key_loads_.enter(grant);
    Load load;
    if (grant) {
        std::ranges::for_each(asked.experiment.flows, [&load](const FlowSpec& flow) { load.add(flow); });
    }
    if (std::string why = share.ask(load); not why.empty()) {
        throw RunError(why);
    }
    return share;
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
    DaemonSession session(options_.limits, options_.times.starting, connection.grant());
    {
        const Asking asking(asking_, connection);
        co_await gather(connection, session);
    }
    const RunRequest& request = session.request();
    expect_room();  // before the work that many flows are
    std::vector<FlowSpec> flows = session.take_flows();
    const std::size_t count = flows.size();
    SenderOptions asked = options_of(request, std::move(flows), options_.limits);
    asked.of_stranger = connection.grant().has_value() or not connection.peer_address().is_loopback();
    KeyLoads::Share share = bound(connection.grant(), asked);
    Call call;
    if (asked.passive) {
        call = {.name = random_id(),
                .from = connection.peer_address(),
                .key = key_of(connection),
                .there = std::make_shared<AwaitedCall>()};
        asked.passive->call = call.there;
        asked.passive->caller = plain_text(session.hello().host);
    }
    const RunAccepted accepted{.program = "groma-send " GROMA_VERSION, .host = host_name(), .call = call.name};
    const std::unique_ptr<DaemonRun> run = admit(request, std::move(asked));
    const Place place(*this, *run, std::move(share), std::move(call));
    const std::string peer = connection.caller() + ": ";
    options_.say(peer + "run '" + plain_text(request.experiment) + "' of " + plain_text(session.hello().host) +
                 " begins: " + counted(count, "flow"));
    audit(connection, request.experiment, {});
    ++counts_.runs;
    co_await run->serve(connection, accepted);
    counts_.sent += run->so_far();
    counts_.ended.add(run->outcome());
    options_.say(peer + plain_text(run->end_in_words()));
}

SentSoFar DaemonRuns::so_far() const {
    SentSoFar sum = counts_.sent;
    for (const DaemonRun* const run : runs_) {
        sum += run->so_far();
    }
    return sum;
}

std::string DaemonRuns::take_call(ControlConnection& connection, const std::string& name) {
    const auto awaited = calls_.find(name);
    if (awaited == calls_.end() or not awaited->second.from.same_host(connection.peer_address()) or
        awaited->second.key != key_of(connection)) {
        return "no run of this " + options_.who + " awaits such a call";
    }
    return awaited->second.there->give(connection) ? "" : "the receiver of this run has called already";
}

void DaemonRuns::stop() {
    stopping_ = true;
    for (ControlConnection* connection : asking_) {
        connection->close();
    }
    for (DaemonRun* run : runs_) {
        run->request_stop();
    }
}

}  // namespace groma
