// Checks the requirements of a run against its report (--require, [require]; docs/reference/metrics.md). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/stats/fidelity/requirement_check.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// Why delays of a flow are unknown that lost all packets.
inline constexpr std::string_view kNothingArrived = "because nothing of it arrived";

/// Checks each requirement against all flows. A flow to several receivers has the loss of the worst receiver.
[[nodiscard]] std::vector<CheckedRequirement> checked_requirements(const SendReport& report);

/// One line each: "rate at most 0.1 %: met, ..."; empty without requirements.
[[nodiscard]] std::string requirements_text(const SendReport& report);

}  // namespace groma
