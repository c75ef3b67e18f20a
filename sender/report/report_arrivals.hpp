// The table of a report that says what arrived, as receivers told it: rates, delays, jitter. Pure.
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// Empty if no receiver told anything that has a rate or a delay.
[[nodiscard]] std::string arrivals_text(const SendReport& report);

}  // namespace groma
