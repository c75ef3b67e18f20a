// What a calibration's database looks like to whoever reads one (docs/guide/calibration.md).
#pragma once

#include <string>

namespace groma {

/// The statements that make the tables, and of `points` the columns of figure_columns() behind those that name a point.
[[nodiscard]] std::string calibration_schema();

}  // namespace groma
