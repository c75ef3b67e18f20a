// The parts of the JSON report about loss patterns and order.
#pragma once

#include "decoder/json_parts.hpp"
#include "decoder/results.hpp"

namespace groma {

[[nodiscard]] Json loss_pattern_json(const LossPatternFigures& figures);
[[nodiscard]] Json reordering_json(const std::optional<ReceivedFigures>& received);

}  // namespace groma
