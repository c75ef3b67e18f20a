#include "receiver/posted_run.hpp"

#include <optional>
#include <unordered_map>
#include <utility>

#include "common/cli/flow_lines.hpp"
#include "common/model/flow/flow_text.hpp"
#include "receiver/run_record.hpp"

namespace groma {

namespace {

constexpr std::string_view kWhoseClocks =
    "One-way delays are by the clocks of both hosts: they are wrong by as much as these disagree.";

RowFigures growth(ArrivedSoFar& before, const ArrivedSoFar& now, bool numbered, Nanos from, Nanos length) {
    const ArrivedSoFar last = std::exchange(before, now);
    return {.from = from,
            .length = length,
            .received_packets = now.packets - last.packets,
            .received_bytes = now.bytes - last.bytes,
            .received_over = length,
            .missing_packets = numbered ? std::optional(now.missing) : std::nullopt};
}

std::optional<std::uint64_t> number_of(const FlowLoss& loss) {
    return loss.at_least ? std::nullopt : std::optional(loss.lost);
}

/// The network's verdict, as the report of groma-send has it (sender/report/network_verdict.cpp).
void judge_network(BoardEnd& over, const std::vector<FlowLoss>& losses, const FlowLoss& all, bool any_came) {
    if (losses.empty()) {
        return;  // the sender told nothing
    }
    if (all.sent == 0) {
        over.network = "unknown";
        over.network_text = "unknown, because nothing was sent";
    } else if (not any_came) {
        over.network = "nothing";
        over.network_text = "NOTHING ARRIVED";
    } else if (all.lost > 0) {
        over.network = "lossy";
        over.network_text =
            describe_loss({.name = {}, .sent = all.sent, .lost = number_of(all), .lost_at_least = all.lost});
    } else if (all.at_least) {
        over.network = "unknown";
        over.network_text = "no loss is known; copies of packets without a number would hide losses";
    } else {
        over.network = "all";
        over.network_text = "all arrived";
    }
}

}  // namespace

BoardRun board_run(const Hello& hello, const ReceivingRun& run, const BoardHost& sender, const BoardHost& receiver,
                   WallTime now) {
    BoardRun about{.run_id = hello.run_id,
                   .experiment = hello.experiment,
                   .began = now,
                   .hosts = {sender, receiver},
                   .flows = {},
                   .note = std::string(kWhoseClocks)};
    for (const FlowSetup& flow : run.setups()) {
        about.flows.push_back({.id = flow.spec.id,
                               .name = flow.spec.name,
                               .transport = std::string(to_string(flow.spec.transport)),
                               .from = flow.remote_address,
                               .to = flow.local_address,
                               .traffic = gaps_to_string(flow.spec) + ", " + sizes_to_string(flow.spec)});
    }
    return about;
}

PostedRun::PostedRun(RunBoard& board, BoardRun about, ReceivingRun& run, Clock& clock)
    : board_(board),
      run_(run),
      clock_(clock),
      number_(board.begin(std::move(about))),
      started_(clock.now()),
      last_(started_) {}

IntervalRow PostedRun::row() {
    const MonoTime now = clock_.now();
    const Nanos from = last_ - started_;
    const Nanos length = now - std::exchange(last_, now);
    const ProgressReply progress = run_.progress(true);
    IntervalRow row{.all = growth(before_, progress.all, run_.numbered(), from, length)};
    flows_before_.resize(progress.flows.size());
    std::vector<CountedDelay> all;
    for (std::size_t i = 0; i < progress.flows.size(); ++i) {
        const FlowSoFar& flow = progress.flows[i];
        RowFigures figures = growth(flows_before_[i], flow.arrived, run_.numbered(i), from, length);
        std::vector<CountedDelay> counted = run_.delays_since_last(i);
        all.insert(all.end(), counted.begin(), counted.end());
        figures.delays = delays_of(std::move(counted));
        row.flows.push_back({.flow = flow.flow, .name = {}, .figures = figures});
    }
    row.all.delays = delays_of(std::move(all));
    return row;
}

void PostedRun::post_row() {
    if (not flows_ended_) {
        board_.add(number_, row());
    }
}

void PostedRun::flows_ended() {
    post_row();  // none more after the first call
    flows_ended_ = true;
}

void PostedRun::end(const std::string& end, const ReceiverResults& results, const std::vector<FlowLoss>& losses) {
    flows_ended();
    IntervalRow rest = row();
    rest.last = true;
    rest.all.missing_packets.reset();
    std::unordered_map<FlowId, std::optional<std::uint64_t>> lost;
    FlowLoss all;
    for (const FlowLoss& flow : losses) {
        lost[flow.flow] = number_of(flow);
        all.sent += flow.sent;
        all.lost += flow.lost;
        all.at_least = all.at_least or flow.at_least;
    }
    for (FlowRow& flow : rest.flows) {
        flow.figures.missing_packets.reset();
        flow.figures.lost = lost[flow.flow];
    }
    rest.all.lost = losses.empty() ? std::nullopt : number_of(all);
    BoardEnd over{.at = clock_.wall_now(), .end = end, .report_text = end_in_words(end, results) + '\n'};
    judge_network(over, losses, all, before_.packets > 0);
    board_.add(number_, std::move(rest));
    board_.end(number_, std::move(over));
}

}  // namespace groma
