// Which of very many flows a reader must see: the worst of each figure. Values only.
#pragma once

#include <cstddef>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

/// Returns: places of the flows with the largest error of the rate, p99 of lateness, p99 of the gap error, and share of
/// packets lost, as far as these are above 0; of equal ones the first. Each once, rising.
[[nodiscard]] std::vector<std::size_t> worst_flows(const std::vector<FlowReport>& flows);

}  // namespace groma
