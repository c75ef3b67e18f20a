// The report of a run as text for people: the sender's own error first, then what arrived, then the logs, and a verdict
// in the last line.
#pragma once

#include <cstddef>
#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// With more flows than this the tables have only the total; --json has all.
inline constexpr std::size_t kMostFlowsInTables = 20;

[[nodiscard]] std::string report_text(const SendReport& report);

/// Parts of it, for reports of several senders: what was sent and received, and what is said of clocks and logs.
[[nodiscard]] std::string figures_text(const SendReport& report);
[[nodiscard]] std::string clocks_and_logs_text(const SendReport& report);

}  // namespace groma
