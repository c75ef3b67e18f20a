#include "decoder/conclusions.hpp"

#include <algorithm>

#include "decoder/asked_gaps.hpp"
#include "decoder/flow_notes.hpp"
#include "decoder/log_tally.hpp"
#include "decoder/total.hpp"

namespace groma {

namespace {

std::uint64_t less(std::uint64_t from, std::uint64_t what) {
    return from - std::min(from, what);
}

SeriesKnowledge known_of(const FlowAnalysis& analysis, const FlowResult& flow) {
    SeriesKnowledge known;
    known.sent = flow.sent.has_value();
    known.received = flow.received.has_value();
    if (known.received) {
        known.delay = true;
        known.delay_shift = analysis.received->delay_shift();
    }
    known.lost = loss_by_interval_is_known(flow);
    return known;
}

FlowResult result_of(const FlowAnalysis& analysis) {
    FlowResult flow;
    flow.spec = analysis.spec;
    flow.clock = analysis.clock;
    if (analysis.sent != nullptr) {
        flow.sent = analysis.sent->figures(analysis.sender_log->totals(analysis.spec.id));
        flow.asked_gaps = asked_gaps(analysis.spec.idt);
    }
    if (analysis.received != nullptr) {
        flow.received = analysis.received->figures(analysis.receiver_log->totals(analysis.spec.id));
    }
    flow.loss = loss_of(flow.sent, flow.received);
    flow.series = analysis.series.rows(known_of(analysis, flow));
    flow.notes = notes_on(flow);
    return flow;
}

ClockState common_clock(const std::vector<FlowResult>& flows) {
    ClockState clock;
    bool first = true;
    for (const auto& flow : flows) {
        if (not flow.received) {
            continue;
        }
        if (not first and flow.clock != clock) {
            return {.kind = ClockState::Kind::several};
        }
        clock = flow.clock;
        first = false;
    }
    return clock;
}

}  // namespace

Loss loss_of(const std::optional<SentFigures>& sent, const std::optional<ReceivedFigures>& received) {
    if (not received) {
        return {{}, {}, "without the receiver's log"};
    }
    if (not received->whole) {
        return {{}, {}, "the receiver's log was cut short"};
    }
    const std::uint64_t got = less(received->packets, received->duplicates);
    if (sent and sent->whole) {
        return {less(sent->packets, got), {}, {}};
    }
    const std::uint64_t left = std::max(sent ? sent->packets : 0, received->next_expected);
    return {{}, less(left, got), sent ? "the sender's log was cut short" : "without the sender's log"};
}

void conclude(const FlowAnalyses& flows, RunResult& run) {
    for (const auto& [id, analysis] : flows) {
        run.flows.push_back(result_of(*analysis));
    }
    run.clock = common_clock(run.flows);
    run.total = total_of(flows, run);
}

bool records_are_missing(const RunResult& run) {
    return std::any_of(run.flows.begin(), run.flows.end(), [](const FlowResult& flow) {
        return (flow.sent and flow.sent->records_missing > 0) or (flow.received and flow.received->records_missing > 0);
    });
}

}  // namespace groma
