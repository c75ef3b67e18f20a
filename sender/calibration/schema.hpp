// What a calibration's database looks like to whoever reads one (docs/guide/calibration.md).
#pragma once

#include <string>

#include "common/figures/figure.hpp"
#include "sender/calibration/point_result.hpp"

namespace groma {

/// What names a point, of which there is one.
[[nodiscard]] const FigureTable<Point>& point_keys();

/// A row of `points`, without its id: what names the point, what was said of it, its figures.
[[nodiscard]] const FigureTable<PointResult>& point_columns();

/// The statements that make the tables.
[[nodiscard]] std::string calibration_schema();

}  // namespace groma
