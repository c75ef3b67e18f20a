// Pictures over time: throughput, packet rate, delay, jitter, loss, round-trip time, the state of connections. Up to
// kMostCurves flows are a curve each; of more, the median and the spread over the flows are drawn.
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
    const char* needs =
        nullptr;  ///< whose logs the figure is from, for whoever misses it; null: only some runs have it
    std::optional<double> (*value)(const SeriesPoint& point, double interval_s) = nullptr;
    /// The span around the value, drawn of a single flow; null: none.
    std::optional<double> (*low)(const SeriesPoint& point) = nullptr;
    std::optional<double> (*high)(const SeriesPoint& point) = nullptr;
    /// Of a figure of the connection, instead of all of these.
    std::optional<double> (*of_connection)(const ConnectionPoint& point) = nullptr;
};

[[nodiscard]] const std::vector<SeriesMeasure>& series_measures();

/// Returns: nothing when no flow has the figure. Each value stands in the middle of its interval.
[[nodiscard]] std::optional<Picture> draw_series(const RunResults& run, const SeriesMeasure& measure);

}  // namespace groma
