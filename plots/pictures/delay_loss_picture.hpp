// Delay against loss: does what is lost go with queues that fill up?
#pragma once

#include <optional>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// A dot for each interval of a flow in which something was sent and arrived: its mean delay and the share of its
/// packets that were lost; of more than kMostDotted flows how many intervals there are in each cell of a grid. Nothing
/// when nothing was lost, or neither is known.
[[nodiscard]] std::optional<Picture> draw_delay_against_loss(const RunResults& run);

}  // namespace groma
