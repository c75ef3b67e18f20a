// The pieces that the JSON report and the JSON lines are made of: the tables of figures (decoder/results/figures.hpp)
// as objects, lists under the names of decoder/results/flow_tables.hpp. Unknown values are null.
#pragma once

#include "decoder/files/json_parts.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// Of a run itself, without its logs, flows, requirements and total.
[[nodiscard]] Json run_head_json(const RunResult& run);
[[nodiscard]] Json log_json(const LogResult& log);
/// These are without their series.
[[nodiscard]] Json flow_json(const FlowResult& flow);
[[nodiscard]] Json total_json(const TotalResult& total);
/// Its name, the values of its keys, which flows it has, and its total.
[[nodiscard]] Json group_json(const GroupResult& group, const std::vector<GroupKey>& keys);
[[nodiscard]] Json requirements_json(const std::vector<CheckedRequirement>& requirements);

}  // namespace groma
