// The flows that a short report shows when there are very many.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "decoder/results/results.hpp"

namespace groma {

/// Up to this number of flows, all are shown.
inline constexpr std::size_t kMostShownFlows = 30;

struct ShownFlows {
    std::vector<const FlowResult*> flows;  ///< in the order of the run
    std::string left_out;                  ///< a sentence on the others; empty: there are none
};

/// All up to `most`; of more the worst, `of_each` each by verdict, by share lost, by p99 of delay, and by p99 of
/// lateness.
[[nodiscard]] ShownFlows shown_flows(const RunResult& run, std::size_t most = kMostShownFlows, std::size_t of_each = 5);

}  // namespace groma
