// A sender's report as JSON and back, for its way to rank 0. Unlike report_json() it keeps all that merging needs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sender/run_report.hpp"

namespace groma {

[[nodiscard]] nlohmann::json encode_report(const SendReport& report);

/// The lateness histogram comes back with its counts, minimum and maximum exact, its mean within the bins' width.
/// Throws: UsageError.
[[nodiscard]] SendReport decode_report(const nlohmann::json& object);

}  // namespace groma
