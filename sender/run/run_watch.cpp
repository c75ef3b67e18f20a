#include "sender/run/run_watch.hpp"

#include <algorithm>

#include "common/log/kernel_clock_health.hpp"

namespace groma {

namespace {

constexpr Nanos kTick = std::chrono::milliseconds(50);
constexpr Nanos kProgressInterval = std::chrono::seconds(1);
constexpr Nanos kStepPollInterval = std::chrono::seconds(1);
/// Telling what was sent so far takes no more than this part of the time: the reports of many flows are large.
constexpr int kSoFarRest = 50;

std::vector<FlowOutcome> outcomes_so_far(const std::vector<FlowProgress>& flows) {
    std::vector<FlowOutcome> outcomes;
    outcomes.reserve(flows.size());
    for (const FlowProgress& flow : flows) {
        FlowOutcome& outcome = outcomes.emplace_back();
        outcome.flow = flow.flow;
        outcome.counts.end = flow.finished ? FlowEnd::complete : FlowEnd::interrupted;
        outcome.fidelity.packets = flow.packets;
        outcome.fidelity.bytes = flow.bytes;
    }
    return outcomes;
}

}  // namespace

RunWatch::RunWatch(WatchedRun run, const std::vector<FlowSpec>& flows, const std::vector<ReceiverPlan>& plans)
    : run_(run), progress_(flows), step_watch_(run.around.clock) {
    for (const ReceiverPlan& plan : plans) {
        for (const FlowSpec& flow : plan.flows) {
            ++receivers_left_[flow.id];
        }
    }
    if (run_.around.rows) {
        rows_.emplace(*run_.around.rows,
                      RowQuestions{.ask = [&links = run_.links](const auto& request) { links.ask_progress(request); },
                                   .answers = [&links = run_.links] { return links.progress(); }},
                      flows);
    }
}

void RunWatch::watch(SendEngine& engine, FlowListeners* listeners, MonoTime start) {
    Clock& clock = run_.around.clock;
    MonoTime next_poll = clock.now() + kStepPollInterval;
    MonoTime next_line = start + kProgressInterval;
    const bool shows_progress = run_.around.show_progress and (not rows_ or run_.around.rows->beside_progress);
    if (rows_) {
        rows_->start_at(start);
    }
    while (not engine.finished()) {
        const MonoTime wake = std::min(clock.now() + kTick, rows_ ? rows_->due() : MonoTime::max());
        clock.sleep_until(std::min(wake, engine.next_sample().value_or(wake)));
        engine.sample_connections(clock.now(), clock.wall_now());
        if (not run_.facts.interrupted and run_.give_up()) {
            run_.facts.interrupted = true;
            engine.stop();
        }
        fail_flows_of_lost_receivers(engine);
        if (listeners != nullptr) {
            listeners->follow();
        }
        const MonoTime now = clock.now();
        if (rows_) {
            rows_->look(now,
                        [&] { return rows_->each_flow() ? engine.progress_and_connections() : engine.progress(); });
        }
        if (shows_progress and now >= next_line) {
            run_.around.show_progress(progress_.line(now - start, engine.progress()));
            next_line += kProgressInterval;
        }
        tell_so_far(engine, start);
        if (now >= next_poll) {
            detect_step();
            (void)conditions_->poll();
            next_poll = now + kStepPollInterval;
        }
    }
}

void RunWatch::end_rows(const SendEngine& engine) {
    if (not rows_) {
        return;
    }
    std::vector<FlowProgress> sent = engine.progress();
    for (std::size_t i = 0; i < sent.size(); ++i) {
        const FlowOutcome& outcome = run_.facts.outcomes[i];
        sent[i].retransmitted = outcome.counts.retransmitted;
        sent[i].rtt = outcome.connection ? outcome.connection->rtt : std::nullopt;
    }
    rows_->end(run_.around.clock.now(), std::move(sent));
}

void RunWatch::last_row(const SendReport& report) {
    if (rows_) {
        rows_->last(run_.around.clock.now(), report);
    }
}

void RunWatch::detect_step() {
    if (const auto step = step_watch_.poll()) {
        run_.facts.own_steps.push_back({run_.around.clock.wall_now(), *step});
        run_.events.push_back(clock_stepped(*step, run_.facts.own_steps.back().at));
    }
}

void RunWatch::tell_so_far(const SendEngine& engine, MonoTime start) {
    Clock& clock = run_.around.clock;
    const MonoTime now = clock.now();
    if (not run_.around.shared or not run_.around.shared->so_far or now < std::max(start, next_so_far_)) {
        return;
    }
    run_.facts.elapsed = now - start;
    run_.facts.outcomes = outcomes_so_far(engine.progress());
    run_.around.shared->so_far(make_report(run_.facts));
    next_so_far_ = now + std::max(kProgressInterval, kSoFarRest * (clock.now() - now));
}

void RunWatch::fail_flows_of_lost_receivers(SendEngine& engine) {
    std::vector<ReceiverFacts>& receivers = run_.facts.receivers;
    for (std::size_t i = 0; i < receivers.size(); ++i) {
        const std::optional<std::string> why = run_.links.lost(i);
        if (not why or not receivers[i].lost.empty()) {
            continue;
        }
        receivers[i].lost = *why;
        run_.events.push_back({run_.around.clock.wall_now(), std::nullopt, "peer-lost", *why});
        for (const FlowId flow : receivers[i].flows) {
            if (--receivers_left_[flow] == 0) {  // the others of a group still take the packets
                engine.fail(flow, *why);
            }
        }
    }
}

}  // namespace groma
