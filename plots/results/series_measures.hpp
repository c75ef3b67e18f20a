// The figures that are drawn over time.
#pragma once

#include <optional>
#include <vector>

#include "plots/gnuplot/quantity.hpp"
#include "plots/results/series_source.hpp"

namespace groma {

/// A figure of a series that can be drawn.
struct SeriesMeasure {
    const char* stem;
    const char* what;
    Quantity quantity;
    const char* needs = nullptr;  ///< the logs that the figure comes from, for messages; null: only some runs have it
    std::optional<double> (*value)(const SeriesPoint& point) = nullptr;
    /// The span around the value, drawn of a single flow; null: none.
    std::optional<double> (*low)(const SeriesPoint& point) = nullptr;
    std::optional<double> (*high)(const SeriesPoint& point) = nullptr;
    /// Of a figure of the connection, instead of all of these.
    std::optional<double> (*of_connection)(const ConnectionPoint& point) = nullptr;
    const char* none = nullptr;  ///< what the title says where all values are 0; null: nothing
};

[[nodiscard]] const std::vector<SeriesMeasure>& series_measures();

}  // namespace groma
