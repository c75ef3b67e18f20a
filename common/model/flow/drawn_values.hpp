// Starts and volumes that are drawn once for each flow (docs/reference/models.md#starts-and-volumes).
#pragma once

#include <optional>
#include <string_view>

#include "common/model/distributions/distribution.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// The laws that flows draw from. Flows keep what was drawn, not the law.
struct DrawnValues {
    std::optional<Distribution> start{};   ///< delays after the common start, nanoseconds
    std::optional<Distribution> volume{};  ///< bytes of payload
};

/// Whether the text of a start or a volume is that of a distribution: "exp:1s", not "1s".
[[nodiscard]] bool is_drawn(std::string_view text);

/// Draws the flow's start and volume, if they have laws: start below 0 becomes 0, a volume is rounded to at least 1
/// byte, what is not finite or beyond 2^62 is drawn again, at most 64 times. Requires: its id, seed and generator are
/// set; each value has a random stream of its own.
void draw_values(const DrawnValues& laws, FlowSpec& spec);

}  // namespace groma
