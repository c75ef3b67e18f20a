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

/// Of more than kMostCurves flows: the distribution function of each.
[[nodiscard]] std::vector<std::vector<CdfPoint>> cdfs_of_flows(const RunResults& run,
                                                               const DistributionMeasure& measure);

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
