// What a user requires of a run, against what its logs say (docs/reference/metrics.md).
#pragma once

#include <vector>

#include "common/stats/fidelity/requirement_check.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Checks each requirement against all flows, at each of their receivers. Without its sender's log, all figures of a
/// flow are unknown.
[[nodiscard]] std::vector<CheckedRequirement> checked_requirements(const std::vector<Requirement>& required,
                                                                   const std::vector<FlowResult>& flows);

}  // namespace groma
