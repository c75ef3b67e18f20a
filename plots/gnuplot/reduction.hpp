// Of more points than a picture has columns of pixels, those that can be seen: what gnuplot gets, and what an SVG
// holds, is bounded however long a run was.
#pragma once

#include <cstddef>

#include "plots/gnuplot/columns.hpp"
#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Of at most so many crowded curves the extremes are drawn as well, as an area.
inline constexpr std::size_t kMostExtremes = 3;

/// The picture with at most a few points a column:
/// - of a curve that only rises or only falls (a distribution function), the first and the last point of each column;
/// - of another with more than four points a column, their median, and of few such curves an area from the smallest to
///   the largest; the label of the x axis then says so;
/// - of an area the extremes, or of quantiles the medians;
/// - of dots one for each place where there are any.
/// What is less crowded stays as it is, and so does a curve that was reduced while it was read: of that the extremes
/// become an area. Takes time proportional to the points (n log n within a column).
[[nodiscard]] Picture reduced(Picture picture);

}  // namespace groma
