// Selects the flows that tables of a report show: of many, the worst of each figure. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

/// With more flows than this, tables show the worst of them and their total; --json has all.
inline constexpr std::size_t kMostFlowsInTables = 20;

[[nodiscard]] constexpr bool all_are_shown(const std::vector<FlowReport>& flows) {
    return flows.size() <= kMostFlowsInTables;
}

/// The flows of a table, in their order: all, if they are not more than `most`, or worst_flows(), and of the others the
/// first ones until there are `least`. They point into `flows`. Requires: least <= most.
[[nodiscard]] std::vector<const FlowReport*> shown_flows(const std::vector<FlowReport>& flows,
                                                         std::size_t most = kMostFlowsInTables, std::size_t least = 0);

/// Returns: indices of the flows with the largest rate error, p99 of lateness, p99 of the gap error, and loss ratio, if
/// above 0. Ties: the first flow. Distinct, rising.
[[nodiscard]] std::vector<std::size_t> worst_flows(const std::vector<FlowReport>& flows);

}  // namespace groma
