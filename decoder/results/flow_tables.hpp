// The lists of a flow. Each is described once: a table of a results file, and a list in JSON.
#pragma once

#include <string_view>
#include <vector>

#include "common/model/distributions/quantile.hpp"
#include "decoder/results/figures.hpp"

namespace groma {

/// A bin of a histogram of one of a flow's figures.
struct HistogramRow {
    std::string_view kind;  ///< "delay", "sent_gap", ...
    LogHistogram::Bin bin;
};

/// A sample and its side.
struct SideSample {
    LogRole side = LogRole::sender;
    const TimedSample* sample = nullptr;
};

/// What one side counted.
struct CounterRow {
    LogRole side = LogRole::sender;
    std::string_view name;
    std::uint64_t count = 0;
};

/// A scale of the gaps between departures (`sender`) or arrivals.
struct SideScale {
    LogRole side = LogRole::sender;
    GapScale scale;
};

[[nodiscard]] const FigureTable<HistogramRow>& histogram_figures();
[[nodiscard]] const FigureTable<SideScale>& gap_scale_figures();
[[nodiscard]] const FigureTable<SideSample>& side_sample_figures();
[[nodiscard]] const FigureTable<CounterRow>& counter_figures();
[[nodiscard]] const FigureTable<std::string>& note_figures();
[[nodiscard]] const FigureTable<CdfPoint>& asked_gap_figures();

/// Rows of a flow; what they point to is the flow's.
[[nodiscard]] std::vector<HistogramRow> histogram_rows(const FlowResult& flow);
[[nodiscard]] std::vector<SideSample> side_samples(const FlowResult& flow);
[[nodiscard]] std::vector<CounterRow> counter_rows(const FlowResult& flow);
[[nodiscard]] std::vector<HeaderCount> header_counts(const FlowResult& flow);
[[nodiscard]] std::vector<NReorderingRow> n_reordering_rows(const FlowResult& flow);
[[nodiscard]] std::vector<ReorderDensityRow> reorder_density_rows(const FlowResult& flow);
[[nodiscard]] std::vector<SideScale> gap_scale_rows(const FlowResult& flow);

struct FlowTableName {
    const char* table;  ///< in a results file, with the keys "run", "flow", "receiver" before the figures
    const char* json;   ///< in a flow's object; null: absent, or not a list of rows
};

/// visit(FlowTableName, const FigureTable<Record>&, function from a flow to its records). The function gives a range of
/// them, or a pointer to one or null.
template <typename Visit>
void for_each_flow_table(Visit visit) {
    const auto itself = [](const FlowResult& flow) { return flow.round_trip ? &flow : nullptr; };
    const auto transmit = [](const FlowResult& flow) { return flow.transmit ? &*flow.transmit : nullptr; };
    visit(FlowTableName{"round_trips", "round_trip"}, round_trip_figures(), itself);
    visit(FlowTableName{"transmits", "transmit"}, transmit_figures(), transmit);
    visit(
        FlowTableName{"connections", "connections"}, connection_figures(),
        [](const FlowResult& flow) -> const auto& { return flow.connections; });
    visit(FlowTableName{"connection", nullptr}, side_sample_figures(), side_samples);
    visit(FlowTableName{"arrival_headers", "arrival_headers"}, header_count_figures(), header_counts);
    visit(FlowTableName{"n_reordering", "n_reordering"}, n_reordering_figures(), n_reordering_rows);
    visit(FlowTableName{"reorder_density", "reorder_density"}, reorder_density_figures(), reorder_density_rows);
    visit(FlowTableName{"gap_scales", "gap_scales"}, gap_scale_figures(), gap_scale_rows);
    visit(
        FlowTableName{"clock_steps", "clock_steps"}, clock_step_figures(),
        [](const FlowResult& flow) -> const auto& { return flow.clock.fit.steps; });
    visit(FlowTableName{"counters", nullptr}, counter_figures(), counter_rows);
    visit(
        FlowTableName{"notes", nullptr}, note_figures(),
        [](const FlowResult& flow) -> const auto& { return flow.notes; });
    visit(FlowTableName{"histograms", nullptr}, histogram_figures(), histogram_rows);
    visit(FlowTableName{"series", "series"}, series_figures(),
          [](const FlowResult& flow) { return flow.series.rows(); });
}

}  // namespace groma
