// All flows of a run together.
#pragma once

#include "decoder/flow_analysis.hpp"
#include "decoder/results.hpp"

namespace groma {

/// A figure is there when it is known of every flow. Requires: run.flows and run.interval are filled in.
[[nodiscard]] TotalResult total_of(const FlowAnalyses& flows, const RunResult& run);

}  // namespace groma
