// Combines what each side's log says of a flow: loss, notes, and the figures of all flows together.
#pragma once

#include <memory>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Fills in the run's flows, clock, total, groups and interval. Requires: its keys of groups are set; `interval`: of
/// the flows' series.
void conclude(const FlowAnalyses& flows, const std::shared_ptr<SeriesInterval>& interval, RunResult& run);

/// Whether a log's totals count more packets of a flow than it has records, or fewer.
[[nodiscard]] bool totals_contradict_records(const RunResult& run);

}  // namespace groma
