// From what each side's log says of a flow to what is known of it: loss, notes, and all flows together.
#pragma once

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Fills in the run's flows, clock, total and groups; its logs, interval and keys of groups are there.
void conclude(const FlowAnalyses& flows, RunResult& run);

/// A log's totals count packets of a flow that it has no records of, or fewer than it has records of.
[[nodiscard]] bool totals_contradict_records(const RunResult& run);

}  // namespace groma
