// The report of a run as text: the sender's own error first, then what arrived, then the logs. The last line is the
// verdict.
#pragma once

#include <cstddef>
#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// With more flows than this the tables have only the total; --json has all.
inline constexpr std::size_t kMostFlowsInTables = 20;

[[nodiscard]] std::string report_text(const SendReport& report);

/// Parts of it, for reports of several senders: sent and received figures, and text about clocks and logs.
[[nodiscard]] std::string figures_text(const SendReport& report);
[[nodiscard]] std::string clocks_and_logs_text(const SendReport& report);

}  // namespace groma
