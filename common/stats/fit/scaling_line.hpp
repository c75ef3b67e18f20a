// Straight lines through figures of rising scales, weighted by how well each is known, from the scale on from which
// they lie on one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace groma {

/// A figure, by the binary logarithm of its scale, with its standard error.
struct ScalePoint {
    double log2_scale = 0;
    double value = 0;
    double error = 0;  ///< above 0
};

struct ScalingLine {
    double slope = 0;
    double slope_error = 0;
    double at_zero = 0;
    double chance = 0;  ///< that points on a line are as far from it: of chi-square with points - 2 degrees of freedom
    std::size_t first = 0;  ///< the first point of it; it goes to the last one
};

/// Least squares, each point weighted by 1 / error^2. Requires: at least two points of different scales.
[[nodiscard]] ScalingLine weighted_line(std::span<const ScalePoint> points);

/// The line from the first point on from which a line is not refused (chance at least 5 %), after the idea of [Veitch,
/// Abry and Taqqu 2003]; where there is none, the one with the largest chance. A line has at least three points.
/// Returns: nothing below three points.
[[nodiscard]] std::optional<ScalingLine> line_from_onset(std::span<const ScalePoint> points);

}  // namespace groma
