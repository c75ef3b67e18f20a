#include "sender/engine/send_engine.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <utility>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_spread.hpp"
#include "common/model/flow/record_room.hpp"
#include "common/net/socket/state_sampler.hpp"
#include "common/os/awake_cores.hpp"
#include "common/os/process.hpp"
#include "common/os/scheduling.hpp"
#include "sender/engine/flow_sender.hpp"
#include "sender/engine/record_shipping.hpp"
#include "sender/engine/round_trip_flows.hpp"
#include "sender/engine/send_stamps.hpp"
#include "sender/engine/send_worker.hpp"
#include "sender/engine/stamp_worker.hpp"
#include "sender/engine/worker_thread.hpp"
#include "sender/engine/writable_watch.hpp"

namespace groma {

namespace {

/// For all streams together to hand over what they hold after the run.
constexpr Nanos kClosingTime{1'000'000'000};
/// That are taken at once of a flow that waited for them.
constexpr std::size_t kLastReplies = 64;

std::vector<FlowId> ids_of(const std::vector<FlowToSend>& flows) {
    std::vector<FlowId> ids;
    ids.reserve(flows.size());
    for (const FlowToSend& flow : flows) {
        ids.push_back(flow.spec.id);
    }
    return ids;
}

std::vector<double> rates_of(const std::vector<FlowToSend>& flows) {
    std::vector<double> rates;
    rates.reserve(flows.size());
    for (const FlowToSend& flow : flows) {
        rates.push_back(expected_rate(flow.spec));
    }
    return rates;
}

bool goes_as_it_can(const FlowToSend& flow) {
    return is_greedy(flow.spec.idt);
}

std::size_t room_for_records(const std::vector<FlowToSend>& flows, std::size_t most) {
    RecordRoom room;
    for (const FlowToSend& flow : flows) {
        room.add(flow.spec.stop);
    }
    return room.records(most);
}

/// What a flow of this rate may send at once, and so keeps departures for: among thousands of flows one that is slow
/// sends less, so that it takes little memory.
std::size_t batch_of(double pps, std::size_t largest, std::size_t flows) {
    constexpr std::size_t kManyFlows = 1000;
    constexpr std::size_t kFew = 4;
    constexpr double kSeconds = 0.05;
    if (flows <= kManyFlows) {
        return largest;
    }
    const double due = std::min(pps * kSeconds, static_cast<double>(largest));
    return std::min(largest, std::max(kFew, static_cast<std::size_t>(due)));
}

}  // namespace

struct SendEngine::State {
    State(std::vector<FlowToSend> given, const EngineOptions& options, Clock& time)
        : logged(options.logged),
          pin(options.pin),
          realtime(options.realtime),
          make_thread(options.make_thread),
          clock(time),
          round_trips(given, options.queue_records, options.logged, clock),
          shipping(ids_of(given), clock),
          reasons(given.size()) {
        const std::vector<double> rates = rates_of(given);
        const std::size_t cores = options.pin.empty() ? usable_cores().size() : options.pin.size() + 1;
        const std::size_t threads = options.threads > 0 ? options.threads : default_workers(rates, cores);
        const std::vector<std::vector<std::uint32_t>> shares = spread_flows(rates, threads);
        if (realtime == Realtime::automatic and
            (shares.size() >= cores or std::ranges::any_of(given, goes_as_it_can))) {
            realtime = Realtime::off;
        }
        GapModels models;
        for (std::uint32_t place = 0; place < given.size(); ++place) {
            shipping.drain().compare(place, models.of(given[place].spec));
        }
        round_trips.split_queues(shares);
        const std::size_t batch = std::max<std::size_t>(options.largest_batch, 1);
        std::vector<FlowSender*> with_stamps;
        flows.reserve(given.size());
        for (std::uint32_t place = 0; place < given.size(); ++place) {
            const FlowSpec spec = given[place].spec;
            flows.push_back(std::make_unique<FlowSender>(std::move(given[place]), place,
                                                         batch_of(rates[place], batch, given.size())));
            FlowSender& flow = *flows.back();
            if (SendTimes* const times = round_trips.times(place)) {
                flow.keep_times_in(*times);
            }
            if (SentRange* const sent = round_trips.sent(place)) {
                flow.note_sent_in(*sent);
            }
            if (spec.in_flight > 0) {
                flow.close_loop(spec, *round_trips.replies(place), round_trips.queue(place));
            }
            if (logged or (flow.greedy() and spec.in_flight == 0)) {
                sampler.add(spec, [&flow, &time = clock] { return flow.sample_while_sending(time.now()); });
            }
            if (logged and wants_transmit_stamps(spec)) {
                with_stamps.push_back(&flow);
                stamped.insert(place);
            }
        }
        if (not with_stamps.empty()) {
            stamps = std::make_unique<StampWorker>(std::move(with_stamps), options.queue_records);
        }
        for (const std::vector<std::uint32_t>& share : shares) {
            std::vector<FlowSender*> own;
            own.reserve(share.size());
            for (const std::uint32_t place : share) {
                own.push_back(flows[place].get());
            }
            workers.push_back(std::make_unique<SendWorker>(std::move(own), WorkerOptions{options.queue_records, batch},
                                                           clock, watch));
            WorkerPlace on{.core = {}, .realtime = realtime};
            if (not pin.empty()) {
                on.core = pin[worker_threads.size() % pin.size()];
            }
            worker_threads.push_back(std::make_unique<WorkerThread>(*workers.back(), clock, on));
        }
    }

    void start(MonoTime at);
    void join_workers();
    void end_replies();
    [[nodiscard]] PacingFacts pacing() const;
    void ship(FlowId flow, const ConnectionSample& sample);
    void sample_at_end();
    void close_channels();
    [[nodiscard]] FlowOutcome outcome(const FlowSender& flow);

    bool logged;
    std::vector<unsigned> pin;
    Realtime realtime;
    ThreadMaker make_thread;
    std::optional<AwakeCores> awake;    ///< while workers run, for real time
    std::vector<std::string> refusals;  ///< what could not be had for the whole process
    Clock& clock;
    WallTime started_at{};
    PollWatch watch;
    std::vector<std::unique_ptr<FlowSender>> flows;
    RoundTripFlows round_trips;  // behind the channels of the flows, in front of the workers, which use its times
    std::vector<std::unique_ptr<SendWorker>> workers;
    std::unique_ptr<StampWorker> stamps;  ///< null: nobody asked for any
    std::set<std::uint32_t> stamped;      ///< places of the flows that did
    RecordShipping shipping;              ///< behind all that makes records
    StateSampler sampler;
    std::mutex reasons_mutex;
    std::vector<std::string> reasons;  ///< of fail(), by place; guarded by reasons_mutex
    std::vector<std::unique_ptr<WorkerThread>> worker_threads;
};

void SendEngine::State::start(MonoTime at) {
    started_at = wall_time_at(clock, at);
    if (round_trips.any()) {
        round_trips.worker().start(make_thread);
    }
    RecordSources sources{.stamps = stamps.get(), .replies = round_trips.queues()};
    sources.sent.reserve(workers.size());
    for (const std::unique_ptr<SendWorker>& worker : workers) {
        sources.sent.push_back(&worker->queue());
    }
    shipping.start(std::move(sources), make_thread);
    if (realtime == Realtime::on) {
        refusals = {awake.emplace().refusal(), lock_memory()};
    } else if (realtime == Realtime::automatic) {
        static_cast<void>(lock_memory());
    }
    for (const std::unique_ptr<WorkerThread>& thread : worker_threads) {
        thread->start(at, make_thread, [this] { shipping.end_of_work(); });
    }
}

PacingFacts SendEngine::State::pacing() const {
    PacingFacts facts{
        .threads = static_cast<unsigned>(worker_threads.size()), .pinned = pin, .realtime = realtime != Realtime::off};
    const auto warning = [&facts](const std::string& sentence) {
        if (not sentence.empty() and std::ranges::find(facts.warnings, sentence) == facts.warnings.end()) {
            facts.warnings.push_back(sentence);
        }
    };
    for (const std::unique_ptr<WorkerThread>& thread : worker_threads) {
        facts.realtime = facts.realtime and thread->realtime();
        std::ranges::for_each(thread->warnings(), warning);
    }
    std::ranges::for_each(refusals, warning);
    return facts;
}

void SendEngine::State::join_workers() {
    for (const std::unique_ptr<WorkerThread>& thread : worker_threads) {
        thread->join();
    }
    awake.reset();
}

void SendEngine::State::end_replies() {
    if (round_trips.any()) {
        round_trips.worker().stop();
    }
    std::array<Arrival, kLastReplies> scratch{};
    std::ranges::for_each(flows, [&scratch](const auto& flow) { flow->take_last_replies(scratch); });
    shipping.end_replies();
}

void SendEngine::State::ship(FlowId flow, const ConnectionSample& sample) {
    if (logged) {
        shipping.samples().push(flow, sample);
    }
}

/// What connections came to, before they are closed.
void SendEngine::State::sample_at_end() {
    if (logged) {
        sampler.sample_all(clock.wall_now(),
                           [this](FlowId flow, const ConnectionSample& sample) { ship(flow, sample); });
    }
    shipping.ship_last_samples();
}

void SendEngine::State::close_channels() {
    const MonoTime deadline = clock.now() + kClosingTime;
    for (const std::unique_ptr<FlowSender>& flow : flows) {
        flow->close(std::max(deadline - clock.now(), Nanos{0}));
    }
}

FlowOutcome SendEngine::State::outcome(const FlowSender& flow) {
    const std::uint32_t place = flow.place();
    const std::scoped_lock lock(reasons_mutex);
    FlowOutcome outcome = flow.outcome(reasons[place]);
    outcome.fidelity = shipping.drain().fidelity(place, started_at);
    outcome.fidelity.scheduled = flow.scheduled();
    outcome.fidelity.sent = flow.sent();
    outcome.counts.records_lost += shipping.drain().unlogged(place);
    const FlowProgress sent = flow.progress();
    outcome.fidelity.count_unmetered(sent.packets, sent.bytes);
    outcome.fidelity.count_unsent(outcome.counts.unsent_between);
    if (stamped.contains(place)) {
        const std::uint64_t collected = stamps->collected(place);
        outcome.counts.unstamped = outcome.fidelity.packets - std::min(outcome.fidelity.packets, collected);
    }
    return outcome;
}

SendEngine::SendEngine(std::vector<FlowToSend> flows, EngineOptions options, Clock& clock) {
    options.queue_records = room_for_records(flows, options.queue_records);
    state_ = std::make_unique<State>(std::move(flows), options, clock);
}

SendEngine::~SendEngine() {
    stop();
    state_->join_workers();
}

void SendEngine::start(MonoTime start, LogWriter* log) {
    check(log == nullptr or state_->logged, "an engine records for logs only when it is told that there will be one");
    state_->shipping.drain().log_to(log);
    state_->start(start);
}

void SendEngine::stop() noexcept {
    for (const std::unique_ptr<SendWorker>& worker : state_->workers) {
        worker->ask_to_stop();
    }
}

void SendEngine::fail(FlowId flow, const std::string& why) {
    for (const std::unique_ptr<FlowSender>& sender : state_->flows) {
        if (sender->id() == flow and not sender->ended()) {
            const std::scoped_lock lock(state_->reasons_mutex);
            state_->reasons[sender->place()] = why;
            sender->request_failure();
        }
    }
    for (const std::unique_ptr<SendWorker>& worker : state_->workers) {
        worker->ask_to_poll();
    }
}

std::vector<FlowProgress> SendEngine::progress() const {
    std::vector<FlowProgress> all;
    for (const std::unique_ptr<FlowSender>& flow : state_->flows) {
        all.push_back(flow->progress());
        if (const FlowReplies* const replies = state_->round_trips.replies(flow->place())) {
            all.back().returned = replies->returned();
        }
    }
    return all;
}

std::vector<FlowProgress> SendEngine::progress_and_connections() const {
    std::vector<FlowProgress> all = progress();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (const auto sample = state_->flows[i]->sample()) {
            all[i].retransmitted = sample->retransmitted;
            all[i].rtt = sample->rtt;
        }
    }
    return all;
}

bool SendEngine::finished() const {
    return std::all_of(state_->flows.begin(), state_->flows.end(), [](const auto& flow) { return flow->ended(); });
}

void SendEngine::sample_connections(MonoTime now, WallTime wall) {
    state_->sampler.sample(now, wall,
                           [this](FlowId flow, const ConnectionSample& sample) { state_->ship(flow, sample); });
}

std::optional<MonoTime> SendEngine::next_sample() const {
    return state_->sampler.next_due();
}

std::uint64_t SendEngine::samples_lost() const {
    return state_->shipping.samples().lost();
}

std::vector<FlowOutcome> SendEngine::wait() {
    state_->join_workers();
    state_->shipping.join();
    state_->sample_at_end();
    state_->close_channels();
    std::vector<FlowOutcome> outcomes;
    for (const std::unique_ptr<FlowSender>& flow : state_->flows) {
        outcomes.push_back(state_->outcome(*flow));
    }
    state_->shipping.go_on_with_replies();
    return outcomes;
}

void SendEngine::end_replies(std::vector<FlowOutcome>& outcomes) {
    state_->end_replies();
    for (std::uint32_t place = 0; place < outcomes.size(); ++place) {
        if (const FlowReplies* const replies = state_->round_trips.replies(place)) {
            outcomes[place].round_trip = replies->result();
            state_->flows[place]->add_to(*outcomes[place].round_trip);
            outcomes[place].round_trip->records_lost += state_->shipping.drain().unlogged_replies(place);
        }
    }
}

PacingFacts SendEngine::pacing() const {
    return state_->pacing();
}

std::string SendEngine::log_error() const {
    return state_->shipping.drain().error();
}

}  // namespace groma
