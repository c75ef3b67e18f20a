// The report of a run on one screen: what arrived first, then how it was sent, then the result in one line. Pure.
#pragma once

#include <string>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

/// At most kMostScreenLines lines of kLineWidth characters. Of more than kMostFlowLines flows the worst, the first and
/// the total.
[[nodiscard]] std::string report_screen(const SendReport& report);

/// How it was sent, what the network did, and the result: the last lines of every report.
[[nodiscard]] std::string conclusion_text(const SendReport& report);

/// "to 10.0.0.2:9000", "to 3 receivers", "from 10.0.0.2:9000", "to and from 2 hosts".
[[nodiscard]] std::string where_flows_go(const SendReport& report);

/// "11.65 Mbit/s received, 1.991 kpps, lost 0 of 11948, delay p50 9.3 us p99 29 us; sent as asked".
[[nodiscard]] std::string result_line(const SendReport& report);

/// Of receivers that serve anyone, a sentence; none: there are none.
[[nodiscard]] std::vector<std::string> open_programs(const SendReport& report);

}  // namespace groma
