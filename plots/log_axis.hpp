// Ticks of logarithmic axes.
#pragma once

#include <string>
#include <vector>

#include "plots/picture.hpp"

namespace groma {

/// At 1, 2 and 5 of each decade; of many decades, at 1 only. Requires: a range above 0.
[[nodiscard]] std::vector<AxisTick> logarithmic_ticks(const AxisRange& range, std::string (*label)(double));

}  // namespace groma
