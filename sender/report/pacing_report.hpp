// The pacing and the cost of a run's programs, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "common/os/cpu_conditions.hpp"
#include "common/os/usage.hpp"
#include "sender/engine/pacing_facts.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// "user" or "kernel (fq on eth0)": what times a flow's departures.
[[nodiscard]] std::string departure_in_words(const std::string& queue);

/// Text: threads and cores, departures by the kernel, unavailable settings, and the cost of both sides.
[[nodiscard]] std::string pacing_text(const SendReport& report);

[[nodiscard]] nlohmann::ordered_json to_json(const PacingFacts& facts);

}  // namespace groma
