// Straight lines through figures of increasing scales, weighted by their errors, from the first scale where a line
// fits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace groma {

/// A figure with its standard error, at the binary logarithm of its scale.
struct ScalePoint {
    double log2_scale = 0;
    double value = 0;
    double error = 0;  ///< above 0
};

struct ScalingLine {
    double slope = 0;
    double slope_error = 0;
    double at_zero = 0;
    double chance = 0;      ///< p-value of the points under a line: chi-square with points - 2 degrees of freedom
    std::size_t first = 0;  ///< its first point; it extends to the last one
};

/// Least squares, each point weighted by 1 / error^2. Requires: at least two points of different scales.
[[nodiscard]] ScalingLine weighted_line(std::span<const ScalePoint> points);

/// The line from the first point from which a line is not rejected (chance at least 5 %), following [Veitch, Abry and
/// Taqqu 2003]; if none, the one with the largest chance. A line has at least three points. Returns: empty below three
/// points.
[[nodiscard]] std::optional<ScalingLine> line_from_onset(std::span<const ScalePoint> points);

}  // namespace groma
