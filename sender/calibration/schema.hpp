// The schema of a calibration's database (docs/guide/calibration.md).
#pragma once

#include <string>

#include "common/figures/figure.hpp"
#include "sender/calibration/point_result.hpp"

namespace groma {

/// The columns that identify a point; they are unique.
[[nodiscard]] const FigureTable<Point>& point_keys();

/// A row of `points` without its id: the key, the texts and the figures of a point.
[[nodiscard]] const FigureTable<PointResult>& point_columns();

/// The SQL statements that create the tables.
[[nodiscard]] std::string calibration_schema();

}  // namespace groma
