// The sections of the text report that only some runs have: round trips, transmit stamps, connections, headers.
#pragma once

#include <optional>
#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Empty if the run has none of these.
[[nodiscard]] std::string measured_text(const RunResult& run);

/// What a host's kernel says of its clock, as a line below its log; empty if it is unknown.
[[nodiscard]] std::string clock_health_text(const std::optional<ClockHealth>& clock);

}  // namespace groma
