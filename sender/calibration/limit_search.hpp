// Searches the highest rate that a calibration's series keeps, beginning with what was measured. Pure.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/point_result.hpp"
#include "sender/calibration/store.hpp"

namespace groma {

/// The figures of a point, measured now or before; nothing: the calibration is to stop.
using Measure = std::function<std::optional<PointFigures>(const Point&)>;

/// Searches between what `sweep` has kept and has not kept, asking `measure` for more, within the rates of the sweep. A
/// rate of the sweep counts as kept when the median of its rate errors is within the tolerance and no repetition was
/// cut short. Returns: nothing when `measure` returns nothing.
[[nodiscard]] std::optional<Limit> search_limit(const CalibrationSettings& settings, const Search& search,
                                                const std::vector<PointResult>& sweep, const Measure& measure);

}  // namespace groma
