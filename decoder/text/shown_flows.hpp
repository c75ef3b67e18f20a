// Of very many flows, those that a report of some pages names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "decoder/results/results.hpp"

namespace groma {

/// Up to so many flows are all shown.
inline constexpr std::size_t kMostShownFlows = 30;

struct ShownFlows {
    std::vector<const FlowResult*> flows;  ///< in the order of the run
    std::string left_out;                  ///< a sentence on the others; empty: there are none
};

/// Of more than kMostShownFlows the worst five each by verdict, by share lost, by p99 of delay, and by p99 of lateness.
[[nodiscard]] ShownFlows shown_flows(const RunResult& run);

}  // namespace groma
