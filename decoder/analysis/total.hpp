// The figures of several flows together: all flows of a run, or a group.
#pragma once

#include <memory>
#include <vector>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// A flow at one of its receivers. Both outlive it.
struct Member {
    const FlowAnalysis* analysis = nullptr;
    const FlowResult* result = nullptr;
    bool first_of_flow = true;  ///< among the members: sent packets count once, for any number of receivers
};

using Members = std::vector<Member>;

/// A figure is present if it is known of every flow. `interval` of the series. The series of a flow's further receivers
/// have its departures.
[[nodiscard]] TotalResult total_of(const Members& flows, const std::shared_ptr<SeriesInterval>& interval,
                                   std::int64_t most_empty = kMostEmptyIntervals);

}  // namespace groma
