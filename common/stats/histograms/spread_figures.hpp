// Figures of the distribution of values: minimum, mean, deviation, percentiles, maximum.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "common/figures/figure.hpp"
#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

enum class SpreadFigure : std::uint8_t { count, min, mean, sd, p50, p90, p99, p999, max };

struct SpreadFigureRow {
    SpreadFigure figure;
    std::string_view name;  ///< "p99"
    FigureType type;
    std::string_view meaning;  ///< precedes the name of the values: "p99 of "
};

inline constexpr std::array kSpreadFigures = {
    SpreadFigureRow{SpreadFigure::count, "count", FigureType::integer, "number of values of "},
    SpreadFigureRow{SpreadFigure::min, "min", FigureType::integer, "smallest of "},
    SpreadFigureRow{SpreadFigure::mean, "mean", FigureType::real, "mean of "},
    SpreadFigureRow{SpreadFigure::sd, "sd", FigureType::real, "standard deviation (n - 1) of "},
    SpreadFigureRow{SpreadFigure::p50, "p50", FigureType::integer, "median of "},
    SpreadFigureRow{SpreadFigure::p90, "p90", FigureType::integer, "90th percentile of "},
    SpreadFigureRow{SpreadFigure::p99, "p99", FigureType::integer, "99th percentile of "},
    SpreadFigureRow{SpreadFigure::p999, "p999", FigureType::integer, "99.9th percentile of "},
    SpreadFigureRow{SpreadFigure::max, "max", FigureType::integer, "largest of "},
};

/// Without values, only the count; of one value, no deviation.
[[nodiscard]] FigureValue spread_figure(const LogHistogram& values, SpreadFigure figure);

/// "delay" and "ns" make "delay_count", "delay_min_ns", "delay_mean_ns", ...; without a unit "cwnd_min". `get` returns
/// a pointer to the values of a record, or null.
template <typename Record, typename Get>
void add_spread(FigureTable<Record>& table, std::string_view what, std::string_view unit, std::string_view meaning,
                Get get) {
    for (const SpreadFigureRow& row : kSpreadFigures) {
        std::string name = std::string(what).append("_").append(row.name);
        if (row.figure != SpreadFigure::count and not unit.empty()) {
            name.append("_").append(unit);
        }
        table.add({{std::move(name), row.type, std::string(row.meaning).append(meaning)},
                   [get, which = row.figure](const Record& record) {
                       const auto* const values = std::invoke(get, record);
                       return values == nullptr ? FigureValue() : spread_figure(*values, which);
                   }});
    }
}

}  // namespace groma
