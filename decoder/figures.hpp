// What the decoder's figures are called and mean: each is described here once, and JSON, CSV, SQLite and their
// documents are made from that.
#pragma once

#include "common/figures/figure.hpp"
#include "common/log/log_reader.hpp"
#include "common/stats/clock_fit.hpp"
#include "decoder/measured.hpp"
#include "decoder/results.hpp"
#include "decoder/time_series.hpp"

namespace groma {

/// Of a flow at one of its receivers, of a group, and of all flows.
[[nodiscard]] const FigureTable<FlowFigures>& flow_figures();
[[nodiscard]] const FigureTable<SeriesRow>& series_figures();
[[nodiscard]] const FigureTable<ClockStep>& clock_step_figures();
[[nodiscard]] const FigureTable<TimedSample>& sample_figures();
[[nodiscard]] const FigureTable<LogGap>& log_gap_figures();

}  // namespace groma
