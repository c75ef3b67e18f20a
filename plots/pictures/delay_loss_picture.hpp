// Delay against loss: are packets lost when queues fill up?
#pragma once

#include <optional>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// A dot for each interval of a flow in which something was sent and arrived: its mean delay and the share of its
/// packets that were lost; beyond kMostDotted flows, the number of intervals in each cell of a grid. Empty if nothing
/// was lost, or if this is unknown.
[[nodiscard]] std::optional<Picture> draw_delay_against_loss(const RunResults& run);

}  // namespace groma
