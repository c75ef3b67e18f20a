// A flow at one of its receivers as one of those whose figures are taken together.
#pragma once

#include <vector>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Both outlive it.
struct Member {
    const FlowAnalysis* analysis = nullptr;
    const FlowResult* result = nullptr;
    bool first_of_flow = true;  ///< among the members: what was sent counts once, however many receivers it had
};

using Members = std::vector<Member>;

}  // namespace groma
