#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plots/pictures/distribution_pictures.hpp"
#include "plots/results/distributions.hpp"

namespace groma {

namespace {

constexpr double kFewestBins = 10;
constexpr double kMostBins = 120;
// Two of the decoder's bins are 1/64 of their value.
constexpr double kFinestRatio = 65.0 / 64;

/// Rising edges in ns, from the first of the axis to its last.
std::vector<double> edges_of(const ValueAxis& axis, double values) {
    const AxisRange range{axis.range.low / axis.unit.factor, axis.range.high / axis.unit.factor};
    // As many bins as the square root of the values, within reason; a ns is the finest there is.
    double bins = std::clamp(std::ceil(std::sqrt(values)), kFewestBins, kMostBins);
    if (axis.logarithmic) {
        bins = std::min(bins, std::max(1.0, std::floor(std::log(range.high / range.low) / std::log(kFinestRatio))));
    } else {
        const double finest = std::max(1.0, std::max(std::abs(range.low), std::abs(range.high)) * (kFinestRatio - 1));
        bins = std::min(bins, std::max(1.0, std::floor((range.high - range.low) / finest)));
    }
    std::vector<double> edges;
    for (double i = 0; i <= bins; ++i) {
        edges.push_back(axis.logarithmic ? range.low * std::pow(range.high / range.low, i / bins)
                                         : range.low + (range.high - range.low) * i / bins);
    }
    return edges;
}

/// A step over each bin; values below the axis count in its first bin, as the distribution function shows them.
Curve steps_of(const NamedCdf& cdf, const ValueAxis& axis, const std::vector<double>& edges) {
    Curve curve{cdf.name, cdf.look, cdf.asked ? Stroke::wide : Stroke::solid, false, {{}}};
    double before = 0;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const double until = share_at(cdf.points, edges[i + 1]);
        const double share = std::max(until - before, 0.0);
        before = until;
        curve.pieces.front().push_back({edges[i] * axis.unit.factor, share});
        curve.pieces.front().push_back({edges[i + 1] * axis.unit.factor, share});
    }
    return curve;
}

}  // namespace

std::optional<Picture> draw_density(const RunResults& run, const DistributionMeasure& measure) {
    const std::vector<NamedCdf> cdfs = distribution_curves(run, measure);
    if (cdfs.empty()) {
        return std::nullopt;
    }
    double values = 0;
    for (const NamedCdf& cdf : cdfs) {
        values = std::max(values, cdf.count);
    }
    const ValueAxis axis = axis_for(cdfs);
    const std::vector<double> edges = edges_of(axis, values);
    Picture picture;
    picture.title = distribution_title(run, measure, cdfs, ", density");
    set_value_axis(picture, axis, measure.what);
    picture.y_label = std::string("share of ") + measure.values + " in each of " + std::to_string(edges.size() - 1) +
                      (axis.logarithmic ? " bins of equal ratio" : " bins of equal width");
    double most = 0;
    for (const NamedCdf& cdf : cdfs) {
        picture.curves.push_back(steps_of(cdf, axis, edges));
        for (const PicturePoint& point : picture.curves.back().pieces.front()) {
            most = std::max(most, point.y);
        }
    }
    picture.y_range = {0, most > 0 ? 1.05 * most : 1};
    return picture;
}

}  // namespace groma
