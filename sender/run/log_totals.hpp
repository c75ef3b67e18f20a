// The final events of the sender's log, from the run's report. Pure.
#pragma once

#include <vector>

#include "common/log/run_metadata.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

[[nodiscard]] LogTotals log_totals(const SendReport& report, WallTime ended_at);

/// "send-errors", "records-lost" and "cut-short" events of flows, if any.
[[nodiscard]] std::vector<LogEvent> events_of_flows(const SendReport& report, WallTime at);

}  // namespace groma
