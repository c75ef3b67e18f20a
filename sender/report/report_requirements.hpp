// Checks the requirements of a run against its report (--require, [require]; docs/reference/metrics.md). Pure.
#pragma once

#include <vector>

#include "common/stats/fidelity/requirement_check.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Checks each requirement against all flows. A flow to several receivers has the loss of the worst receiver.
[[nodiscard]] std::vector<CheckedRequirement> checked_requirements(const SendReport& report);

/// One line each: "rate at most 0.1 %: met, ..."; empty without requirements.
[[nodiscard]] std::string requirements_text(const SendReport& report);

}  // namespace groma
