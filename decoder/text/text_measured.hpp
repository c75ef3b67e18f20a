// The sections of the text report about what only some runs have: round trips, transmit stamps, connections, headers.
#pragma once

#include <optional>
#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Nothing when the run has none of it.
[[nodiscard]] std::string measured_text(const RunResult& run);

/// What a host's kernel says of its clock, as a line below its log; nothing when it is not known.
[[nodiscard]] std::string clock_health_text(const std::optional<ClockHealth>& clock);

}  // namespace groma
