// The parts of the JSON report about what only some runs have; null or empty where a run has none of it.
#pragma once

#include <optional>

#include "decoder/json_parts.hpp"
#include "decoder/measured.hpp"

namespace groma {

[[nodiscard]] Json round_trip_json(const std::optional<RoundTripFigures>& figures);
[[nodiscard]] Json transmit_json(const std::optional<TransmitFigures>& figures);
[[nodiscard]] Json connection_json(const ConnectionFigures& figures);
[[nodiscard]] Json arrival_header_json(const ArrivalHeaderFigures& figures);
[[nodiscard]] Json clock_health_json(const std::optional<ClockHealth>& clock);

}  // namespace groma
