// Fidelity as JSON, the same in the sender's report and in the decoder's (docs/reference/report-json.md).
#pragma once

#include <nlohmann/json.hpp>

#include "common/stats/fidelity.hpp"
#include "common/stats/requirement_check.hpp"

namespace groma {

/// "mean", "p50", "p90", "p99", "p99_9", "max".
[[nodiscard]] nlohmann::ordered_json percentiles_to_json(const LogHistogram& histogram);

/// Adds "gap_error_ns", "gap_variation", "gaps_within", "behind_s", "batches" and "fit" to an object.
void add_gap_figures(nlohmann::ordered_json& object, const Fidelity& fidelity);

/// A list of "what", "limit", "worst", "flow", "met".
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<CheckedRequirement>& requirements);

}  // namespace groma
