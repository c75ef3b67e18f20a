// Figures of a step of one of two clocks.
#pragma once

#include "common/figures/figure.hpp"
#include "common/stats/clock/clock_fit.hpp"

namespace groma {

[[nodiscard]] const FigureTable<ClockStep>& clock_step_figures();

}  // namespace groma
