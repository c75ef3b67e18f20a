// The figures of a run over time as lines that can be drawn, read in one pass over its series.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plots/results/series_source.hpp"
#include "plots/results/thin_line.hpp"

namespace groma {

struct RunResults;
struct SeriesMeasure;

/// Up to this number of flows are a curve each; beyond it, their spread is drawn.
inline constexpr std::size_t kMostCurves = 8;

/// Up to this number of flows have dots of their own colour and mark; beyond it, dots are counted.
inline constexpr std::size_t kMostDotted = 7;

/// The spread of the flows in each interval: quantiles by nearest rank, and the mean. Where there is a total, the mean
/// is the total divided by the number of all flows, also of those without a value.
struct SpreadLines {
    ThinnedLine lowest;
    ThinnedLine tenth;
    ThinnedLine median;
    ThinnedLine ninetieth;
    ThinnedLine highest;
    ThinnedLine mean;
};

/// A figure over time, in its base unit, x in seconds.
struct FigureLines {
    std::vector<ThinnedLine> flows;  ///< of each flow; of more than kMostCurves none
    ThinnedLine low;                 ///< of a single flow: what its values lie between
    ThinnedLine high;
    SpreadLines spread;  ///< of more than kMostCurves flows
    AxisRange time;      ///< from the first value to the last; without lines it has no meaning
    bool gaps = false;   ///< some flow has an interval without a value, or none at all
};

/// Intervals in which something was sent and arrived, by their mean delay (x, ns) and the share of packets lost (y, %).
struct DelayLoss {
    AxisRange delay_ns;
    double most_lost = 0;                          ///< %; 0: unknown, or nothing was lost
    std::vector<std::vector<PicturePoint>> flows;  ///< of each flow one at each place; of more than kMostDotted none
    /// Of more than kMostDotted flows: how many are in each column and row of a grid over the picture.
    std::map<std::pair<std::int64_t, std::int64_t>, double> cells;
};

inline constexpr std::size_t kDelayLossColumns = 60;
inline constexpr std::size_t kDelayLossRows = 30;

/// The axes of the picture of these intervals, in their units.
[[nodiscard]] AxisRange delay_axis(const DelayLoss& it);
[[nodiscard]] AxisRange loss_axis(const DelayLoss& it);

/// Whether it is a count or a rate of flows, in intervals: those of all flows can be added up.
[[nodiscard]] bool has_total(const RunResults& run, const SeriesMeasure& measure);

/// Fills in the figures of `run` over time, for the kinds of pictures that are wanted, by name. Memory is bounded by
/// flows and what is drawn of each, and a slice of some ten thousand rows. Reads everything once, and once more for the
/// dots of delay against loss where something was lost. Throws: RunError.
void read_over_time(RunResults& run, const SeriesSource& source, const std::function<bool(const std::string&)>& wanted);

}  // namespace groma
