// What the sender's log says at its end, made of the run's report. Pure.
#pragma once

#include <vector>

#include "common/log/run_metadata.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

[[nodiscard]] LogTotals log_totals(const SendReport& report, WallTime ended_at);

/// "send-errors", "records-lost" and "cut-short" of flows, as far as there are any.
[[nodiscard]] std::vector<LogEvent> events_of_flows(const SendReport& report, WallTime at);

}  // namespace groma
