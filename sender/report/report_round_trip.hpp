// The part of the text report that is about packets that came back (round-trip meter).
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// Tables of the flows with that meter, if they are few, and of their total if they are several; empty if there are
/// none.
[[nodiscard]] std::string round_trips_text(const SendReport& report);

}  // namespace groma
