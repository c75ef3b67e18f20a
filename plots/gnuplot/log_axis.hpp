// Ticks of axes where gnuplot places none that fit: logarithmic ones, and those of small counts.
#pragma once

#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Values that span more than this are drawn on a logarithmic axis.
constexpr double kLogSpan = 50;

/// At 1, 2 and 5 of each decade; for many decades, at 1 only. Requires: a range above 0.
[[nodiscard]] std::vector<AxisTick> logarithmic_ticks(const AxisRange& range, std::string (*label)(double));

/// 1, 0.1, 0.01, ... down to `least`, which is not below 1e-10.
[[nodiscard]] std::vector<AxisTick> decades_below_one(double least);

/// Of counts: whole numbers. Empty for a range so wide that gnuplot places such ticks itself.
[[nodiscard]] std::vector<AxisTick> whole_ticks(const AxisRange& range);

}  // namespace groma
