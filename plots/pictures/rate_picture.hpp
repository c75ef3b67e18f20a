// A figure of a calibration against the rate that was asked for: curves of the medians with bars of the range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/calibration.hpp"

namespace groma {

/// What tells the curves of one picture apart.
enum class Varied : std::uint8_t { size, logging, distribution };

/// A figure that is drawn against the rate that was asked for.
struct RateFigure {
    const char* stem;
    const char* what;
    std::vector<std::string> columns;  ///< a curve for each
    std::vector<std::string> names;    ///< of these curves; empty: the series' alone
    Varied varied;
    std::string (*label)(double);
    double least;          ///< of the axis: smaller values are drawn there; 0: no bound
    bool ideal = false;    ///< with the line on which sent is what was asked
    bool per_bit = false;  ///< against the bit rate asked for
};

/// A curve is drawn of each series that differs from the first in what is varied only.
[[nodiscard]] bool differs_only_in(Varied varied, const CalibrationSeries& series, const CalibrationSeries& first);

/// What a key calls a series.
[[nodiscard]] std::string series_name(Varied varied, const CalibrationSeries& series);

/// Both axes are logarithmic. Nothing where no series has a figure above 0. Requires: there are points.
[[nodiscard]] std::optional<Picture> draw_against_rate(const CalibrationResults& results, const RateFigure& figure);

}  // namespace groma
