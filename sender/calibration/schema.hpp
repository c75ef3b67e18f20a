// What a calibration's database looks like to whoever reads one (docs/guide/calibration.md).
#pragma once

#include <string>

namespace groma {

inline constexpr int kCalibrationApplicationId = 0x67726d63;  // "grmc"
inline constexpr int kCalibrationVersion = 2;

/// The statements that make the tables, and of `points` the columns of figure_columns() behind those that name a point.
[[nodiscard]] std::string calibration_schema();

}  // namespace groma
