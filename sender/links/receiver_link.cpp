#include "sender/links/receiver_link.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

/// "10.0.0.2:9000: closed the connection", as a sentence about the receiver.
std::string about_receiver(const std::string& address, std::string_view what) {
    if (what.starts_with(address + ": ")) {
        what.remove_prefix(address.size() + 2);
    }
    constexpr std::string_view kConnection = "the connection ";
    if (what.starts_with(kConnection)) {
        return "the connection to the receiver at " + address + ' ' + plain_text(what.substr(kConnection.size()));
    }
    return "the receiver at " + address + ' ' + plain_text(what);
}

/// For a section of a log, whose bytes are base64 in the message. The receiver first hashes what stands before, if it
/// does so anew.
Nanos time_for_section(const SessionTimes& times, std::uint64_t offset) {
    constexpr int kPieces = kLogSectionBytes * 4 / 3 / kPieceBytes + 1;
    constexpr std::uint64_t kHashedBytesPerSecond = 50'000'000;
    return times.answer + kPieces * times.silence + std::chrono::seconds(offset / kHashedBytesPerSecond);
}

}  // namespace

ReceiverLink::ReceiverLink(asio::io_context& io, ReceiverPlan plan, Clock& clock, const SessionTimes& times)
    : io_(io),
      clock_(clock),
      plan_(std::move(plan)),
      times_(times),
      prober_(io, clock, times_.answer,
              [this](ProbeRequest request) -> asio::awaitable<void> {
                  const Message message = request;
                  co_await say(message);
              }),
      arrival_(io.get_executor(), clock),
      beat_(io.get_executor(), clock) {}

ReceiverLink::~ReceiverLink() = default;

void ReceiverLink::spawn(asio::awaitable<void> task) {
    ++running_;
    asio::co_spawn(io_, std::move(task), [this](const std::exception_ptr&) { --running_; });
}

void ReceiverLink::adopt(ControlConnection connection, std::string name) {
    plan_.address = connection.peer_address();
    plan_.name = std::move(name);
    greeted_ = true;
    for (FlowSpec& flow : plan_.flows) {
        if (flow.target.host == kWhoeverCalls) {
            flow.target.host = plan_.name;
        }
    }
    connection_.emplace(std::move(connection));
    spawn(read_on());
    spawn(keep_alive());
}

asio::awaitable<void> ReceiverLink::connect() {
    try {
        connection_.emplace(co_await ControlConnection::connect(plan_.address, times_, clock_, {}, plan_.key));
    } catch (const SystemError& error) {
        throw RunError(error.what());
    }
    if (closed_) {
        connection_->close();
    }
    spawn(read_on());
}

asio::awaitable<OpenedReceiver> ReceiverLink::open(Hello hello) {
    const bool called_in = connection_.has_value();
    if (not called_in) {
        co_await connect();
    }
    OpenedReceiver opened = co_await set_up(hello, called_in);
    co_return opened;
}

asio::awaitable<OpenedReceiver> ReceiverLink::set_up(const Hello& hello, bool called_in) {
    const Message greeting = hello;
    welcome_ = co_await ask<Welcome>(greeting, times_.answer);
    if (welcome_.version < hello.lowest_version or welcome_.version > hello.highest_version) {
        throw RunError("the receiver at " + plan_.address.to_string() + " chose version " +
                       std::to_string(welcome_.version) +
                       " of the protocol, which was not offered: install the same release on both hosts");
    }
    if (not called_in) {
        spawn(keep_alive());
    }
    OpenedReceiver opened{.welcome = welcome_, .ports = {}};
    for (const OpenFlows& piece : in_pieces(plan_.flows, plan_.dial, plan_.secrets)) {
        const Message request = piece;
        const FlowsOpened answer = co_await ask<FlowsOpened>(request, times_.answer);
        opened.ports.insert(opened.ports.end(), answer.flows.begin(), answer.flows.end());
    }
    check_ports(plan_, opened.ports);
    opened_.reserve(plan_.flows.size());
    std::ranges::transform(plan_.flows, std::back_inserter(opened_), &FlowSpec::id);
    // Many flows take much memory and are not needed any more. ("= {}" would keep the memory.)
    plan_.flows = std::vector<FlowSpec>();
    plan_.dial = std::vector<DialTarget>();
    plan_.secrets = FlowSecrets();
    co_await probe();
    co_return opened;
}

asio::awaitable<std::string> ReceiverLink::start(Start start) {
    const Message request = std::move(start);
    // The receiver's log begins with the metadata of every flow, which takes time.
    Started started = co_await ask<Started>(request, times_.answer + answer_of_flows());
    spawn(prober_.go_on());
    fetch_token_ = plan_.name.empty() ? started.fetch_token : std::nullopt;
    co_return std::move(started.log_file);
}

asio::awaitable<ReceiverResults> ReceiverLink::finish(Finish finish) {
    const Nanos limit = finish.wait + times_.results + answer_of_flows();
    const Message request = std::move(finish);
    ReceiverResults results = co_await ask<ReceiverResults>(request, limit);
    prober_.pause();
    try {
        co_await probe();
    } catch (const RunError&) {
        // Not fatal: the results matter more, and earlier probes remain.
    }
    co_return results;
}

asio::awaitable<LogSection> ReceiverLink::fetch_log(std::uint64_t offset) {
    const Message request = FetchLog{.offset = offset};
    LogSection section = co_await ask<LogSection>(request, time_for_section(times_, offset));
    co_return section;
}

asio::awaitable<LogRemoved> ReceiverLink::remove_log() {
    const Message request = RemoveLog{};
    const LogRemoved removed = co_await ask<LogRemoved>(request, times_.answer);
    co_return removed;
}

asio::awaitable<FetchResumed> ReceiverLink::resume_fetch(Token token) {
    fetch_token_ = token;
    co_await connect();
    const Message request = ResumeFetch{.token = token};
    const FetchResumed resumed = co_await ask<FetchResumed>(request, times_.answer);
    spawn(keep_alive());
    co_return resumed;
}

asio::awaitable<void> ReceiverLink::probe() {
    const bool answered = co_await prober_.take_many();
    if (const auto why = lost()) {
        throw RunError(*why);
    }
    if (not answered) {
        throw RunError("the receiver at " + plan_.address.to_string() + " lives, but did not answer a clock probe");
    }
}

std::vector<ClockProbe> ReceiverLink::probes() const {
    std::vector<ClockProbe> probes;
    for (const ProbeTimes& times : prober_.probes()) {
        probes.push_back({times.sent, times.received, times.answered, times.returned, welcome_.host, welcome_.boot_id});
    }
    return probes;
}

asio::awaitable<void> ReceiverLink::say(const Message& message) {
    if (const auto why = lost()) {
        throw RunError(*why);
    }
    try {
        co_await connection_->write(message);
    } catch (const ProtocolError&) {
        // The reader finds the reason and reports it.
    }
}

template <typename Expected>
asio::awaitable<Expected> ReceiverLink::ask(const Message& request, Nanos limit) {
    asked_ = true;
    co_await say(request);
    Message message = co_await next(limit);
    const std::string address = plan_.address.to_string();
    if (auto* expected = std::get_if<Expected>(&message)) {
        co_return std::move(*expected);
    }
    if (const auto* refused = std::get_if<Refused>(&message)) {
        const std::string flow = refused->flow ? "flow " + std::to_string(refused->flow->value) : "the run";
        throw RunError("the receiver at " + address + " refuses " + flow + ": " + plain_text(refused->reason));
    }
    throw RunError("the receiver at " + address + " answered '" + std::string(type_name(message)) + "' instead of '" +
                   std::string(type_name(Message(Expected{}))) + "': install the same release on both hosts");
}

asio::awaitable<Message> ReceiverLink::next(Nanos limit) {
    const MonoTime deadline = clock_.now() + limit;
    while (not answer_) {
        if (const auto why = lost()) {
            throw RunError(*why);
        }
        if (closed_) {
            throw RunError("the session with the receiver at " + plan_.address.to_string() + " was given up");
        }
        const bool over = co_await arrival_.wait(deadline);
        if (over and not answer_) {
            throw RunError("the receiver at " + plan_.address.to_string() + " lives, but did not answer within " +
                           human_time(limit));
        }
    }
    Message message = std::move(*answer_);
    answer_.reset();
    co_return message;
}

asio::awaitable<void> ReceiverLink::read_on() {
    std::string why;
    try {
        while (true) {
            Message message = co_await connection_->read();
            greeted_ = true;
            if (const auto* reply = std::get_if<ProbeReply>(&message)) {
                prober_.on_reply(*reply);
                continue;
            }
            if (auto* const progress = std::get_if<ProgressReply>(&message)) {
                take(std::move(*progress));
                continue;
            }
            if (const auto* refused = std::get_if<Refused>(&message)) {
                why = "the receiver at " + plan_.address.to_string() +
                      " ended the session: " + plain_text(refused->reason);
            }
            take(std::move(message));
        }
    } catch (const std::exception& error) {
        why = why.empty() ? reason_of(error.what()) : why;
    }
    break_off(why);
}

std::string ReceiverLink::reason_of(std::string_view error) {
    const std::string why = about_receiver(plan_.address.to_string(), error);
    return greeted_ ? why + after_standstill()
                    : why + "; is " + std::to_string(plan_.address.port()) + " groma-recv's control port?";
}

void ReceiverLink::take(Message message) {
    const bool refuses = std::holds_alternative<Refused>(message);  // a receiver may refuse at any time
    if (not std::exchange(asked_, false) and not refuses) {
        throw unasked(message);
    }
    const auto* const results = std::get_if<ReceiverResults>(&message);
    if (results != nullptr and not std::ranges::equal(results->flows, opened_, {}, &ReceivedFlow::flow)) {
        throw other_flows("results", results->flows.size());
    }
    answer_ = std::move(message);
    arrival_.cancel();
}

void ReceiverLink::take(ProgressReply reply) {
    if (reply.number != asked_progress_) {
        throw unasked(reply);
    }
    if (not reply.flows.empty() and not std::ranges::equal(reply.flows, opened_, {}, &FlowSoFar::flow)) {
        throw other_flows("progress", reply.flows.size());
    }
    asked_progress_.reset();
    const std::lock_guard lock(told_mutex_);
    progress_ = std::move(reply);
}

ProtocolError ReceiverLink::unasked(const Message& message) const {
    return {connection_->peer(), "sent '" + std::string(type_name(message)) +
                                     "', for which it was not asked: the session was ended (is it a groma-recv of the "
                                     "same release?)"};
}

ProtocolError ReceiverLink::other_flows(std::string_view what, std::size_t count) const {
    return {connection_->peer(), "sent " + std::string(what) + " of " + counted(count, "flow") + " and not of the " +
                                     std::to_string(opened_.size()) + " that it was to open: the session was ended"};
}

void ReceiverLink::ask_progress(const ProgressRequest& request) {
    if (asked_progress_ or lost()) {
        return;
    }
    asked_progress_ = request.number;
    spawn([](ReceiverLink& link, ProgressRequest question) -> asio::awaitable<void> {
        const Message message = question;
        co_await link.say(message);
    }(*this, request));
}

std::optional<ProgressReply> ReceiverLink::progress() const {
    const std::lock_guard lock(told_mutex_);
    return progress_;
}

asio::awaitable<void> ReceiverLink::keep_alive() {
    const Message sign_of_life = KeepAlive{};
    try {
        while (not closed_ and not lost()) {
            co_await connection_->write(sign_of_life);
            beat_due_ = clock_.now() + times_.keep_alive;
            co_await beat_.wait(*beat_due_);
            detect_standstill();
            beat_due_.reset();
        }
    } catch (const std::exception&) {
        // read_on() finds the reason and reports it.
    }
}

/// A late keep-alive means that this program did not run. The receiver's time limit is its own setting; assume the
/// default.
void ReceiverLink::detect_standstill() {
    const MonoTime now = clock_.now();
    if (beat_due_ and now - *beat_due_ >= std::min(times_.silence, SessionTimes{}.silence) - times_.keep_alive) {
        standstill_ = {.end = now, .length = now - *beat_due_ + times_.keep_alive};
    }
}

std::string ReceiverLink::after_standstill() {
    detect_standstill();
    if (standstill_.length == Nanos{0} or clock_.now() - standstill_.end >= times_.silence) {
        return {};
    }
    return ", after this sender stood still for " +
           human_time(std::chrono::round<std::chrono::seconds>(standstill_.length)) +
           " (was it stopped, or its host suspended or overloaded?)";
}

void ReceiverLink::break_off(const std::string& why) {
    connection_->close();
    {
        const std::lock_guard lock(told_mutex_);
        if (not closed_ and not lost_) {
            lost_ = why;
        }
    }
    prober_.close();
    arrival_.cancel();
    beat_.cancel();
}

void ReceiverLink::close() noexcept {
    closed_ = true;
    if (connection_) {
        connection_->close();
    }
    prober_.close();
    arrival_.cancel();
    beat_.cancel();
}

std::optional<std::string> ReceiverLink::lost() const {
    const std::lock_guard lock(told_mutex_);
    return lost_;
}

}  // namespace groma
