// The columns that the x axis of a picture is divided into, and what is drawn of the values in one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plots/gnuplot/picture.hpp"

namespace groma {

/// Columns that the x axis is divided into, evenly as it is drawn.
inline constexpr std::size_t kColumns = 480;
/// With more points per column, on average, they are not drawn one by one.
inline constexpr std::size_t kFewPoints = 4;

/// Which column, or row, a value is in.
class Grid {
public:
    /// Requires: a range of some width; above 0 if it is logarithmic.
    Grid(const AxisRange& range, bool logarithmic, std::size_t cells);

    /// Far outside of the axis at most 1e9 from it.
    [[nodiscard]] std::int64_t operator()(double value) const;

private:
    [[nodiscard]] double at(double value) const;

    bool logarithmic_;
    double low_;
    double scale_;
};

/// The lower median. Reorders the values. Requires: some.
[[nodiscard]] double lower_median(std::vector<double>& values);

/// One point for a column: the median, at the place of the middle one. Requires: some.
[[nodiscard]] PicturePoint median_of(std::span<const PicturePoint> column);

/// From the smallest to the largest, at the same place. Requires: some.
[[nodiscard]] BandPoint extremes_of(std::span<const PicturePoint> column);

}  // namespace groma
