#include "receiver/posted_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "common/base/counted.hpp"
#include "common/model/flow/flow_text.hpp"
#include "receiver/run_record.hpp"

namespace groma {

namespace {

constexpr std::string_view kWhoseClocks =
    "One-way delays are by the clocks of both hosts: they are wrong by as much as these disagree.";

RowFigures growth(ArrivedSoFar& before, const ArrivedSoFar& now, Nanos from, Nanos length) {
    const ArrivedSoFar last = std::exchange(before, now);
    return {.from = from,
            .length = length,
            .received_packets = now.packets - last.packets,
            .received_bytes = now.bytes - last.bytes,
            .received_over = length,
            .missing_packets = now.missing};
}

/// Of what was sent, what did not come: of each flow that the sender told of.
std::unordered_map<FlowId, std::uint64_t> lost_packets(const ReceiverResults& results,
                                                       const std::vector<SentFlow>& sent) {
    std::unordered_map<FlowId, std::uint64_t> lost;
    for (const SentFlow& flow : sent) {
        lost[flow.flow] = flow.packets;
    }
    for (const ReceivedFlow& flow : results.flows) {
        if (const auto found = lost.find(flow.flow); found != lost.end()) {
            found->second -= std::min(found->second, flow.packets - flow.duplicates);
        }
    }
    return lost;
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
      flows_(about.flows.size()),
      number_(board.begin(std::move(about))),
      started_(clock.now()),
      last_(started_) {}

IntervalRow PostedRun::row() {
    const MonoTime now = clock_.now();
    const Nanos from = last_ - started_;
    const Nanos length = now - std::exchange(last_, now);
    const ProgressReply progress = run_.progress(true);
    IntervalRow row{.all = growth(before_, progress.all, from, length)};
    flows_before_.resize(progress.flows.size());
    std::vector<CountedDelay> all;
    for (std::size_t i = 0; i < progress.flows.size(); ++i) {
        const FlowSoFar& flow = progress.flows[i];
        RowFigures figures = growth(flows_before_[i], flow.arrived, from, length);
        std::vector<CountedDelay> counted = run_.delays_since_last(i);
        all.insert(all.end(), counted.begin(), counted.end());
        figures.delays = delays_of(std::move(counted));
        row.flows.push_back({.flow = flow.flow, .name = {}, .figures = figures});
    }
    row.all.delays = delays_of(std::move(all));
    return row;
}

void PostedRun::post_row() {
    board_.add(number_, row());
}

void PostedRun::end(const std::string& end, const ReceiverResults& results, const std::vector<SentFlow>& sent) {
    IntervalRow rest = row();
    rest.last = true;
    rest.all.missing_packets.reset();
    BoardEnd over{.at = clock_.wall_now(), .end = end, .report_text = end_in_words(end, results) + '\n'};
    const std::unordered_map<FlowId, std::uint64_t> lost = lost_packets(results, sent);
    for (FlowRow& flow : rest.flows) {
        const auto found = lost.find(flow.flow);
        flow.figures.missing_packets.reset();
        flow.figures.lost = found == lost.end() ? std::nullopt : std::optional(found->second);
    }
    if (not sent.empty()) {
        std::uint64_t sum = 0;
        std::uint64_t packets = 0;
        std::ranges::for_each(lost, [&sum](const auto& flow) { sum += flow.second; });
        std::ranges::for_each(sent, [&packets](const SentFlow& flow) { packets += flow.packets; });
        rest.all.lost = sum;
        over.network = sum == 0 ? "all" : sum == packets ? "nothing" : "lossy";
        over.network_text = sum == 0 ? "all arrived"
                                     : fmt::format("lost {} of {} ({:.3g} %)", sum, packets,
                                                   100 * static_cast<double>(sum) / static_cast<double>(packets));
    }
    board_.add(number_, std::move(rest));
    board_.end(number_, std::move(over));
}

}  // namespace groma
