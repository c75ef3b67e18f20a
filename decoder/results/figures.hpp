// Names and meanings of the decoder's figures. Each is described once; JSON, CSV, SQLite and their documents are made
// from these tables.
#pragma once

#include "common/figures/figure.hpp"
#include "common/log/log_reader.hpp"
#include "common/stats/clock/clock_step_figures.hpp"
#include "decoder/results/measured.hpp"
#include "decoder/results/results.hpp"
#include "decoder/results/time_series.hpp"

namespace groma {

/// Of a flow at one of its receivers, of a group, and of all flows.
[[nodiscard]] const FigureTable<FlowFigures>& flow_figures();
/// Which flow it is, and how it was asked for; then its figures.
[[nodiscard]] const FigureTable<FlowResult>& flow_result_figures();
/// How many flows they are, then their figures.
[[nodiscard]] const FigureTable<TotalResult>& total_figures();
[[nodiscard]] const FigureTable<SeriesRow>& series_figures();

[[nodiscard]] const FigureTable<RunResult>& run_figures();
[[nodiscard]] const FigureTable<LogResult>& log_figures();
[[nodiscard]] const FigureTable<LogGap>& log_gap_figures();
[[nodiscard]] const FigureTable<LogEvent>& log_event_figures();
[[nodiscard]] const FigureTable<ClockState>& clock_figures();

/// Requires of the record: a round trip.
[[nodiscard]] const FigureTable<FlowResult>& round_trip_figures();
[[nodiscard]] const FigureTable<TransmitFigures>& transmit_figures();
[[nodiscard]] const FigureTable<ConnectionFigures>& connection_figures();
[[nodiscard]] const FigureTable<TimedSample>& sample_figures();
[[nodiscard]] const FigureTable<HeaderCount>& header_count_figures();
[[nodiscard]] const FigureTable<NReorderingRow>& n_reordering_figures();
[[nodiscard]] const FigureTable<ReorderDensityRow>& reorder_density_figures();

}  // namespace groma
