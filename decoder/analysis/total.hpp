// Flows whose figures are taken together: all of a run, or a group of them.
#pragma once

#include <vector>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// A flow at one of its receivers. Both outlive it.
struct Member {
    const FlowAnalysis* analysis = nullptr;
    const FlowResult* result = nullptr;
    bool first_of_flow = true;  ///< among the members: what was sent counts once, however many receivers it had
};

using Members = std::vector<Member>;

/// A figure is there when it is known of every flow. `interval` of the series. The series of a flow's further receivers
/// have its departures.
[[nodiscard]] TotalResult total_of(const Members& flows, Nanos interval, std::int64_t most_empty = kMostEmptyIntervals);

}  // namespace groma
