// Pictures over time: throughput, packet rate, delay, jitter, loss. Up to kMostCurves flows are a curve each; of more,
// the median and the spread over the flows are drawn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "plots/picture.hpp"
#include "plots/quantity.hpp"
#include "plots/results.hpp"

namespace groma {

inline constexpr std::size_t kMostCurves = 20;

/// A figure of a series that can be drawn.
struct SeriesMeasure {
    const char* stem;
    const char* what;
    Quantity quantity;
    const char* needs;  ///< whose logs the figure is from, for whoever misses it
    std::optional<double> (*value)(const SeriesPoint& point, double interval_s);
};

[[nodiscard]] const std::vector<SeriesMeasure>& series_measures();

/// Returns: nothing when no flow has the figure. Each value stands in the middle of its interval.
[[nodiscard]] std::optional<Picture> draw_series(const RunResults& run, const SeriesMeasure& measure);

}  // namespace groma
