// Keeps the points that can be seen when there are more than columns of pixels. This bounds the input of gnuplot, and
// an SVG, for any length of a run.
#pragma once

#include <cstddef>

#include "plots/gnuplot/columns.hpp"
#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Up to this number of crowded curves, the extremes are drawn as well, as an area.
inline constexpr std::size_t kMostExtremes = 3;

/// The picture with at most a few points a column:
/// - of a curve that only rises or only falls (a distribution function), the first and the last point of each column;
/// - of another with more than four points a column, their median, and of few such curves an area from the smallest to
///   the largest; the label of the x axis then says so;
/// - of an area the extremes, or of quantiles the medians;
/// - of dots one for each place where there are any. Less crowded parts stay as they are, and so does a curve that was
///   reduced while it was read: its extremes become an area. Takes time proportional to the points (n log n within a
///   column).
[[nodiscard]] Picture reduced(Picture picture);

}  // namespace groma
