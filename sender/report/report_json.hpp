// The report of a run as one JSON object (docs/reference/report-json.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// The figures of all flows together.
[[nodiscard]] nlohmann::ordered_json total_json(const SendReport& report);

/// Indented by two spaces, with a final newline.
[[nodiscard]] std::string report_json(const SendReport& report);

}  // namespace groma
