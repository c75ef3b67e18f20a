// The report of a run as text with all its tables: the sender's own error first, then what arrived, then the logs. It
// ends as the report on one screen (report_screen.hpp) does.
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

[[nodiscard]] std::string report_tables(const SendReport& report);

/// `verbose`: with all tables; otherwise on one screen.
[[nodiscard]] std::string report_text(const SendReport& report, bool verbose);

/// Parts of it, for reports of several senders: sent and received figures, and text about clocks and logs.
[[nodiscard]] std::string figures_text(const SendReport& report);
[[nodiscard]] std::string clocks_and_logs_text(const SendReport& report);

}  // namespace groma
