// Code that the sections of the text report share: figures in a cell, and tables under a heading.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"
#include "decoder/results/results.hpp"

namespace groma {

inline constexpr const char* kUnknown = "-";

[[nodiscard]] inline std::string time_of(double ns) {
    return human_time(Nanos{std::llround(ns)});
}

template <typename Value, typename Format>
[[nodiscard]] std::string known(const std::optional<Value>& value, Format format) {
    return value ? format(*value) : kUnknown;
}

[[nodiscard]] std::string count(const std::optional<std::uint64_t>& value);

/// "-" if it is unknown.
[[nodiscard]] std::string percent(const std::optional<double>& ratio);

/// n, min, mean, sd, p50, p90, p99, p99.9, max of times; "-" each when there are none.
[[nodiscard]] std::vector<std::string> time_cells(const Spread& spread);
/// `first`, and the headings of these cells.
[[nodiscard]] std::vector<Column> with_times(std::vector<Column> first);
/// Adds no row without times.
void add_times(Table& table, std::vector<std::string> first, const Spread& spread);

/// "-" without values.
[[nodiscard]] std::string percentile(const LogHistogram& times, double fraction);

/// What chance leaves open of loss and delay, so that nobody reads more into them: 95 % intervals of the share lost
/// [%], of the mean delay, p50 and p99 (of single flows). Empty if those of loss and mean are unknown.
[[nodiscard]] std::vector<std::string> interval_cells(const FlowFigures& figures, bool of_a_flow);

/// R of the E-model, and the mean opinion score that belongs to it.
[[nodiscard]] std::string rating_text(double rating);
[[nodiscard]] std::string score_text(double rating);

/// "2026-11-22 18:20:00.000 UTC".
[[nodiscard]] std::string utc_text(WallTime time);

[[nodiscard]] Column left(const char* heading);

/// "3", or "3 at beta" when the flow has several receivers.
[[nodiscard]] std::string label(const FlowResult& flow);

/// Of each flow at each of its receivers, of each group, and of all flows where they are several.
struct NamedFigures {
    std::string name;
    const FlowFigures* figures = nullptr;
};
/// The run outlives them.
[[nodiscard]] std::vector<NamedFigures> named_figures(const RunResult& run);

/// Empty if the table has no rows.
[[nodiscard]] std::string section(const char* heading, const Table& table);

}  // namespace groma
