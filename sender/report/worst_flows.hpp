// Selects from many flows those to show: the worst of each figure. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

/// Returns: indices of the flows with the largest rate error, p99 of lateness, p99 of the gap error, and loss ratio, if
/// above 0. Ties: the first flow. Distinct, rising.
[[nodiscard]] std::vector<std::size_t> worst_flows(const std::vector<FlowReport>& flows);

}  // namespace groma
