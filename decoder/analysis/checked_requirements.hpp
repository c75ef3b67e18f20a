// What a user requires of a run, against what its logs say (docs/reference/metrics.md).
#pragma once

#include <vector>

#include "common/stats/fidelity/requirement_check.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Each requirement against all flows, and against all receivers of each. Of a flow without its sender's log nothing is
/// known.
[[nodiscard]] std::vector<CheckedRequirement> checked_requirements(const std::vector<Requirement>& required,
                                                                   const std::vector<FlowResult>& flows);

}  // namespace groma
