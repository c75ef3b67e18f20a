// The text report of replies (round-trip meter).
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// Tables of the flows with the round-trip meter, if few, and of their total, if several; empty without such flows.
[[nodiscard]] std::string round_trips_text(const SendReport& report);

}  // namespace groma
