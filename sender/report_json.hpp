// The report of a run as one JSON object (docs/reference/report-json.md).
#pragma once

#include <string>

#include "sender/run_report.hpp"

namespace groma {

/// Indented by two spaces, with a line end behind it.
[[nodiscard]] std::string report_json(const SendReport& report);

}  // namespace groma
