#include "receiver/session_server.hpp"

#include <algorithm>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/reach.hpp"
#include "common/log/kernel_clock_health.hpp"
#include "common/net/device/about_host.hpp"
#include "common/os/process.hpp"
#include "receiver/run_record.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

/// Interval between checks whether all sent packets have arrived.
constexpr auto kArrivalPause = std::chrono::milliseconds(5);
constexpr int kPausePerLook = 50;  ///< times what the look took
/// First interval between punches until the sender starts; doubles each time.
constexpr Nanos kFirstPunchPause = std::chrono::milliseconds(20);
constexpr Nanos kLongestPunchPause = std::chrono::seconds(1);
constexpr Nanos kShortestPause = std::chrono::milliseconds(1);

// Name the arguments of awaited coroutines: g++ 12 destroys temporaries in a co_await expression twice if they are
// aggregates or come from a conditional.
Refused refusal(std::string reason) {
    return {.reason = std::move(reason), .flow = std::nullopt};
}

/// The state of the clock and the devices may change during a daemon's life.
Welcome identity_now(const SessionEnvironment& environment, const SocketAddress& local) {
    Welcome identity = environment.identity;
    identity.clock = clock_health();
    identity.about = about_host(local);
    if (not environment.served.empty()) {
        identity.about[std::string(kAboutServed)] = environment.served;
    }
    return identity;
}

}  // namespace

SessionServer::SessionServer(ControlConnection connection, KeyLoads::Share share, const SessionEnvironment& environment,
                             asio::any_io_executor executor)
    : connection_(std::move(connection)),
      environment_(environment),
      session_(identity_now(environment, connection_.local_address()), environment.limits, std::move(share)),
      log_(environment.clock, environment.log_shippers),
      run_({.bind_to = connection_.local_address(),
            .peer = connection_.peer_address(),
            .data_ports = environment.data_ports,
            .signal_line = environment.signal_line,
            .gro = environment.gro},
           environment.workers, environment.clock),
      pause_(executor, environment.clock),
      punch_pause_(executor, environment.clock),
      arrival_pause_(executor, environment.clock),
      sample_pause_(executor, environment.clock),
      tasks_(executor),
      step_watch_(environment.clock) {}

SessionServer::~SessionServer() {
    // After a normal end of serve(), both are no-ops.
    run_.stop();
    log_.stop();
}

void SessionServer::leave() {
    leaving_ = true;
    run_.stop();  // which is under way no more: another may take its place
    session_.leave();
    pause_.cancel();
    punch_pause_.cancel();
}

asio::awaitable<void> SessionServer::serve() {
    try {
        co_await converse();
    } catch (const std::exception& error) {
        lost_ = connection_.why_ended().empty() ? error.what() : connection_.why_ended();
    }
    if (lost_ and connection_.is_open() and not leaving_) {
        const Refused last = refusal(*lost_);
        co_await refuse(last);
    }
    leave();
    arrival_pause_.cancel();
    sample_pause_.cancel();
    co_await tasks_.join();
    if (receiving()) {
        const std::string end = interrupted_ ? "interrupted" : "peer lost: " + lost_.value_or("the session was ended");
        co_await end_run(end);
    }
    connection_.close();
    if (log_.leave(environment_.left_logs, connection_.peer_address().host_to_string(), environment_.clock.now())) {
        say("its log is left here, and waits for a while that the sender comes back for it");
    }
}

asio::awaitable<void> SessionServer::converse() {
    while (not leaving_) {
        const Message message = co_await connection_.read_any();
        const WallTime received = environment_.clock.wall_now();
        // What it says before is lost where the connection goes to another thread there (ByteStream::release()).
        if (environment_.limits.called_in and not std::exchange(heard_, true)) {
            tasks_.spawn(keep_alive());
        }
        SessionAction action = session_.on_message(message, environment_.clock.now());
        connection_.allow(session_.longest_message());
        if (not co_await obey(std::move(action), received)) {
            co_return;
        }
    }
}

asio::awaitable<void> SessionServer::keep_alive() {
    const Message sign_of_life = KeepAlive{};
    try {
        while (not leaving_) {
            co_await connection_.write(sign_of_life);
            detect_step();
            co_await pause_.pause(environment_.keep_alive_interval);
        }
    } catch (const ProtocolError&) {
        // The reader finds the error as well and reports it.
    }
}

// Punches tell the sender the address of each flow, and open each NAT on the path.
asio::awaitable<void> SessionServer::punch_on() {
    while (not leaving_ and phase_ != Phase::ended) {
        run_.punch();
        const Nanos pause = receiving() ? environment_.keepalive_interval : next_punch_pause_;
        next_punch_pause_ = std::min(2 * next_punch_pause_, kLongestPunchPause);
        co_await punch_pause_.pause(pause);
    }
}

void SessionServer::interrupt() {
    if (interrupted_) {
        return;
    }
    interrupted_ = true;
    arrival_pause_.cancel();
    if (not leaving_ and not passed_on_) {
        leave();
        tasks_.spawn(connection_.close_with(refusal("the receiver was stopped")));
    }
}

asio::awaitable<bool> SessionServer::obey(SessionAction action, WallTime received) {
    if (auto* const answer = std::get_if<Answer>(&action)) {
        audit({}, session_.hello().experiment);
        co_await connection_.write(answer->message);
        if (not environment_.limits.called_in) {
            tasks_.spawn(keep_alive());  // the only answer is Welcome; from then on both sides send keep-alives
        }
    } else if (auto* const probe = std::get_if<AnswerProbe>(&action)) {
        const Message reply =
            ProbeReply{.number = probe->number, .received = received, .answered = environment_.clock.wall_now()};
        co_await connection_.write(reply);
    } else if (const auto* const progress = std::get_if<AnswerProgress>(&action)) {
        ProgressReply arrived = run_.progress(progress->request.each_flow);
        arrived.number = progress->request.number;
        arrived.elapsed = environment_.clock.now() - started_;
        const Message reply = std::move(arrived);
        co_await connection_.write(reply);
    } else if (auto* const inboxes = std::get_if<OpenInboxes>(&action)) {
        co_return co_await open(*inboxes);
    } else if (auto* const run = std::get_if<BeginRun>(&action)) {
        co_return co_await begin(run->start);
    } else if (auto* const end = std::get_if<EndRun>(&action)) {
        tasks_.spawn(finish(std::move(end->finish)));  // concurrently: answers probes and detects a lost sender
    } else if (const auto* const give = std::get_if<GiveLog>(&action)) {
        co_return co_await answer_of_log(log_.section(give->offset));
    } else if (std::holds_alternative<DropLog>(action)) {
        co_return co_await answer_of_log(log_.remove());
    } else if (const auto* const left = std::get_if<ResumeLog>(&action)) {
        co_return co_await resume(*left);
    } else if (std::holds_alternative<ServeReverse>(action)) {
        passed_on_ = true;
        co_await environment_.reverse->serve(connection_);
        co_return false;
    } else if (const auto* const call = std::get_if<TakeCall>(&action)) {
        co_return co_await pass_on(*call);
    } else if (const auto* const unwanted = std::get_if<Leave>(&action)) {
        say("the sender refuses this receiver: " + unwanted->reason);
        co_return false;
    } else if (auto* const no = std::get_if<Refuse>(&action)) {
        co_return co_await refuse(no->refused);
    }
    co_return true;
}

asio::awaitable<bool> SessionServer::refuse(const Refused& refused) {
    leave();
    lost_ = "it was refused: " + refused.reason;
    ++environment_.counts.refused_request;
    environment_.refusal_lines.tell(environment_.say, connection_.peer_address().host_to_string(),
                                    connection_.caller() + ": refused: " + plain_text(refused.reason),
                                    environment_.clock.now());
    audit(refused.reason, session_.hello().experiment);
    const Message last = refused;
    co_await connection_.close_with(last);
    co_return false;
}

asio::awaitable<bool> SessionServer::pass_on(const TakeCall& call) {
    const std::string reason = environment_.reverse->take_call(connection_, call.name);
    if (not reason.empty()) {
        const Refused last = refusal(reason);
        co_return co_await refuse(last);
    }
    passed_on_ = true;
    co_return false;
}

asio::awaitable<bool> SessionServer::open(const OpenInboxes& inboxes) {
    auto answer = run_.open(inboxes.flows, inboxes.dial, inboxes.secrets);
    if (auto* const refused = std::get_if<Refused>(&answer)) {
        co_return co_await refuse(*refused);
    }
    const Message opened = std::move(std::get<FlowsOpened>(answer));
    co_await connection_.write(opened);
    if (not inboxes.dial.empty()) {
        const bool first = next_punch_pause_ == Nanos{0};
        next_punch_pause_ = kFirstPunchPause;
        punch_pause_.cancel();
        if (first) {
            tasks_.spawn(punch_on());
        }
    }
    co_return true;
}

asio::awaitable<void> SessionServer::sample_connections() {
    const auto take = [this](FlowId flow, const ConnectionSample& sample) { log_.get()->add(flow, sample); };
    while (receiving() and not leaving_) {
        const MonoTime now = environment_.clock.now();
        run_.sample_connections(now, environment_.clock.wall_now(), take);
        const auto next = run_.next_sample();
        if (not next) {
            co_return;
        }
        co_await sample_pause_.wait(std::max(*next, now + kShortestPause));
    }
    sample_pause_.cancel();
}

asio::awaitable<bool> SessionServer::begin(const Start& start) {
    std::optional<std::string> reason;
    BoardRun about;
    try {
        target_ = log_target(start, session_.hello(), environment_.log_place, connection_.local_address());
        target_.asked_by = connection_.peer_address().host_to_string();
        target_.key = connection_.grant();
        if (not target_.none()) {
            const RunMetadata metadata = run_metadata(session_.hello(), run_, environment_);
            co_await log_.open(target_, metadata, environment_.block_records);
        }
        if (environment_.board != nullptr) {
            about = board_run(session_.hello(), run_,
                              {.role = "sender", .name = session_.hello().host, .address = connection_.peer()},
                              {.role = "receiver",
                               .name = environment_.identity.host,
                               .address = connection_.local_address().to_string()},
                              environment_.clock.wall_now());
            run_.watch_delays(*environment_.watched_flows);
        }
        run_.forget_setups();
        give_back_memory();
        usage_before_ = process_usage();
        run_.start(log_.get(), environment_.queue_records);
    } catch (const std::exception& error) {
        reason = error.what();
    }
    if (reason) {
        run_.stop();
        const Refused last = refusal(*reason);
        co_return co_await refuse(last);
    }
    phase_ = Phase::receiving;
    started_ = environment_.clock.now();
    ++environment_.counts.runs;
    if (environment_.board != nullptr) {
        posted_.emplace(*environment_.board, std::move(about), run_, environment_.clock);
    }
    punch_pause_.cancel();
    if (log_.get() != nullptr) {
        tasks_.spawn(sample_connections());
        log_.run();
    }
    say(begin_in_words(session_.hello(), run_, target_));
    const Message started =
        Started{.log_file = target_.discarded ? "" : target_.file.string(), .fetch_token = log_.token()};
    co_await connection_.write(started);
    co_return true;
}

asio::awaitable<void> SessionServer::finish(Finish finish) {
    if (posted_) {
        posted_->flows_ended();
    }
    const MonoTime deadline = environment_.clock.now() + finish.wait;
    while (not leaving_ and environment_.clock.now() < deadline) {
        const MonoTime looked = environment_.clock.now();
        if (run_.all_arrived(finish.flows)) {
            break;
        }
        // Looks at many flows must not keep other sessions waiting.
        co_await arrival_pause_.pause(
            std::max<Nanos>(kArrivalPause, kPausePerLook * (environment_.clock.now() - looked)));
    }
    if (leaving_) {
        co_return;  // serve() ends the run with the reason
    }
    const std::string end = finish.interrupted ? "interrupted" : "complete";
    ReceiverResults results = co_await end_run(end, finish.flows);
    environment_.counts.add(run_.losses(finish.flows));
    if (leaving_) {
        co_return;
    }
    try {
        const Message message = std::move(results);
        co_await connection_.write(message);
        session_.on_results(environment_.clock.now());
    } catch (const ProtocolError& error) {
        say(std::string("the results could not be delivered: ") + error.what());
    }
}

asio::awaitable<bool> SessionServer::resume(const ResumeLog& log) {
    if (not log_.resume(environment_.left_logs, log.token, connection_.grant(), environment_.clock.now())) {
        const std::string keys = ", or none for this key: fetch it with the key of its run, or with an administrator's";
        const Refused last =
            refusal("no log is left here under this token" + (environment_.limits.keys ? keys : std::string()));
        co_return co_await refuse(last);
    }
    audit({}, log_.offered_file().filename().string());
    const Message resumed = FetchResumed{};
    co_await connection_.write(resumed);
    tasks_.spawn(keep_alive());
    co_return true;
}

asio::awaitable<bool> SessionServer::answer_of_log(asio::awaitable<Message> made) {
    Message answer;
    std::optional<std::string> reason;
    try {
        answer = co_await std::move(made);
    } catch (const std::exception& error) {
        reason = error.what();
    }
    if (reason) {
        const Refused last = refusal(*reason);
        co_return co_await refuse(last);
    }
    if (std::holds_alternative<LogRemoved>(answer)) {
        say("the sender has fetched the log " + log_.offered_file().string() + ", which is removed here");
    }
    co_await connection_.write(answer);
    co_return true;
}

asio::awaitable<ReceiverResults> SessionServer::end_run(const std::string& end, const std::vector<SentFlow>& sent) {
    run_.stop();
    detect_step();
    phase_ = Phase::ended;
    punch_pause_.cancel();
    ReceiverResults results = run_.results();
    results.usage = process_usage() - usage_before_;
    // For example after a refusal by another receiver: the log would block a repeated run.
    const bool abandoned = lost_ and not interrupted_ and
                           std::ranges::all_of(results.flows, [](const auto& flow) { return flow.packets == 0; });
    sample_pause_.cancel();
    if (log_.get() != nullptr) {
        run_.sample_at_end(environment_.clock.wall_now(),
                           [this](FlowId flow, const ConnectionSample& sample) { log_.get()->add(flow, sample); });
        log_.stop();
        if (abandoned) {
            co_await log_.abandon();
        } else {
            co_await log_.close(end, events_, results);
        }
    }
    count(results);
    if (posted_) {
        posted_->end(end, results, run_.losses(sent));
        posted_.reset();
    }
    say(end_in_words(end, results) + (abandoned and log_.get() != nullptr ? "; its log is not kept" : ""));
    co_return results;
}

void SessionServer::count(const ReceiverResults& results) {
    environment_.counts.add(results);
    if (environment_.delays != nullptr) {
        run_.add_delays_to(*environment_.delays);
    }
    environment_.counts.log_bytes += log_.get() != nullptr ? log_.get()->bytes() : 0;
}

void SessionServer::detect_step() {
    const auto step = step_watch_.poll();
    if (not step or not receiving()) {
        return;
    }
    events_.push_back(clock_stepped(*step, environment_.clock.wall_now()));
    say(events_.back().text);
}

FlowCounts SessionServer::counts() const {
    FlowCounts counts = phase_ == Phase::before ? FlowCounts{} : run_.counts();
    if (phase_ == Phase::ended) {
        counts.missing = 0;  // ended: no longer expected
    }
    return counts;
}

void SessionServer::audit(const std::string& why, const std::string& subject) const {
    if (environment_.audit) {
        environment_.audit({.what = "session",
                            .allowed = why.empty(),
                            .from = connection_.peer(),
                            .key = connection_.grant() ? connection_.grant()->name : "",
                            .subject = subject,
                            .why = why});
    }
}

void SessionServer::say(const std::string& text) const {
    environment_.say(connection_.caller() + ": " + plain_text(text));
}

}  // namespace groma
