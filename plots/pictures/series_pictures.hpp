// Pictures over time: throughput, packet rate, delay, jitter, loss, round-trip time, the state of connections. Up to
// kMostCurves flows are a curve each; beyond that, the median and the spread over the flows are drawn.
#pragma once

#include <optional>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/series_measures.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// From the results of read_over_time(). Empty if no flow has the figure. Each value stands in the middle of its
/// interval. Requires: one of series_measures().
[[nodiscard]] std::optional<Picture> draw_series(const RunResults& run, const SeriesMeasure& measure);

}  // namespace groma
