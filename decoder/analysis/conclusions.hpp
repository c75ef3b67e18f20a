// Combines what each side's log says of a flow: loss, notes, and the figures of all flows together.
#pragma once

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Fills in the run's flows, clock, total and groups. Requires: its logs, interval and keys of groups are set.
void conclude(const FlowAnalyses& flows, RunResult& run);

/// Whether a log's totals count more packets of a flow than it has records, or fewer.
[[nodiscard]] bool totals_contradict_records(const RunResult& run);

}  // namespace groma
