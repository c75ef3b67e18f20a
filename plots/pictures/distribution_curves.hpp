// The distributions of a run as curves, without axes: each flow's, or all values of many flows together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plots/gnuplot/picture.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// Up to this number of flows are drawn one by one if each has two curves, asked and sent.
inline constexpr std::size_t kMostPairs = 5;

/// What has a distribution.
struct DistributionMeasure {
    const char* what;    ///< "one-way delay"
    const char* kind;    ///< of the histograms
    const char* values;  ///< what is counted: "packets"
    bool against_asked;  ///< with the distribution that was asked for beside it
    bool gaps = false;   ///< some may be OFF periods of a flow
};

struct NamedCdf {
    std::string name;
    std::size_t look = 0;
    bool asked = false;
    std::vector<CdfPoint> points;
    double count = 0;  ///< of values; 0: a model
};

/// One by one up to kMostCurves flows, or kMostPairs where the asked distribution is drawn too. Of more flows, all
/// values together against the mixture of what was asked; of more runs, each run without it.
[[nodiscard]] std::vector<NamedCdf> distribution_curves(const RunResults& run, const DistributionMeasure& measure);

/// The histograms of flows that are drawn together. Nothing is asked of gaps over OFF periods: where asked and sent are
/// compared, flows with such gaps are left out, unless there are no others.
[[nodiscard]] std::vector<const std::vector<HistogramBin>*> histograms_together(const RunResults& run,
                                                                                const DistributionMeasure& measure);

/// Names the flows whose gaps include OFF periods, which are drawn or left out; empty without such flows.
[[nodiscard]] std::string off_periods_note(const RunResults& run, const DistributionMeasure& measure, bool left_out);

/// What the curves are of, `view` (", tail"), and that note.
[[nodiscard]] std::string distribution_title(const RunResults& run, const DistributionMeasure& measure,
                                             const std::vector<NamedCdf>& cdfs, const std::string& view);

/// An axis of values, in ns.
struct ValueAxis {
    bool logarithmic = false;
    AxisUnit unit;
    AxisRange range;  ///< in the unit
};

/// Logarithmic when the values span more than a factor of 50. Requires: curves.
[[nodiscard]] ValueAxis axis_for(const std::vector<NamedCdf>& cdfs);

/// Labels, ticks and range of the x axis.
void set_value_axis(Picture& picture, const ValueAxis& axis, const std::string& what);

}  // namespace groma
