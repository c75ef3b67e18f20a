// What was required of a run against what it did (--require, [require]; docs/reference/metrics.md). Pure.
#pragma once

#include <vector>

#include "common/stats/fidelity/requirement_check.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Each requirement of the report against all of its flows; a flow to several receivers has lost what the one lost
/// that got least.
[[nodiscard]] std::vector<CheckedRequirement> checked_requirements(const SendReport& report);

/// A line for each: "rate at most 0.1 %: met, ..."; empty when nothing was required.
[[nodiscard]] std::string requirements_text(const SendReport& report);

}  // namespace groma
