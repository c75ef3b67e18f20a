// The report of a run as text: the sender's own error first, then what arrived, then the logs. The last line is the
// verdict.
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

[[nodiscard]] std::string report_text(const SendReport& report);

/// Parts of it, for reports of several senders: sent and received figures, and text about clocks and logs.
[[nodiscard]] std::string figures_text(const SendReport& report);
[[nodiscard]] std::string clocks_and_logs_text(const SendReport& report);

}  // namespace groma
