// From what each side's log says of a flow to what is known of it: loss, notes, and all flows together.
#pragma once

#include <optional>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Sent and never received: a further copy does not make up for a lost packet. The sender's total counts, so that a
/// loss at the very end does too; without it the highest sequence number gives a lower bound.
[[nodiscard]] Loss loss_of(const std::optional<SentFigures>& sent, const std::optional<ReceivedFigures>& received);

/// Fills in which packets of a flow with a round trip were lost, as far as totals tell. Requires: flow.round_trip.
void add_return_losses(FlowResult& flow);

/// Fills in the run's flows, clock, total and groups; its logs, interval and keys of groups are there.
void conclude(const FlowAnalyses& flows, RunResult& run);

/// A log's totals count packets of a flow that it has no records of, or fewer than it has records of.
[[nodiscard]] bool totals_contradict_records(const RunResult& run);

}  // namespace groma
