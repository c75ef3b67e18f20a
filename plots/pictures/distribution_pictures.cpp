#include "plots/pictures/distribution_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plots/gnuplot/log_axis.hpp"
#include "plots/results/distributions.hpp"

namespace groma {

namespace {

constexpr std::size_t kSpreadPoints = 240;
constexpr std::size_t kMostDecades = 9;
constexpr double kLeastDepth = 0.05;

/// From the share not above a value to what is drawn.
using Share = double (*)(double);

double not_above(double share) {
    return std::clamp(share, 0.0, 1.0);
}

double above(double share) {
    return std::clamp(1 - share, 0.0, 1.0);
}

/// `least`: smaller shares are not drawn.
Curve curve_of(const NamedCdf& cdf, const ValueAxis& axis, Share share_of, double least) {
    Curve curve{cdf.name, cdf.look, cdf.asked ? Stroke::wide : Stroke::solid, not cdf.asked, {{}}};
    for (const CdfPoint& point : cdf.points) {
        const double value = axis.logarithmic ? std::max(point.value, axis.range.low) : point.value;
        const double share = share_of(point.share);
        if (share >= least) {
            curve.pieces.front().push_back({value * axis.unit.factor, share});
        }
    }
    return curve;
}

/// The value that `fraction` of the sorted values do not exceed (nearest rank).
double quantile(const std::vector<double>& sorted, double fraction) {
    const double rank = std::ceil(fraction * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

/// Values at which all flows together have evenly spread shares, and the ends.
std::vector<double> places_of(const std::vector<CdfPoint>& all, const ValueAxis& axis) {
    std::vector<double> places;
    for (std::size_t i = 0; i <= kSpreadPoints; ++i) {
        places.push_back(value_at(all, static_cast<double>(i) / kSpreadPoints));
    }
    for (std::size_t i = 0; i <= kSpreadPoints; ++i) {
        const double along = static_cast<double>(i) / kSpreadPoints;
        const AxisRange range{axis.range.low / axis.unit.factor, axis.range.high / axis.unit.factor};
        places.push_back(axis.logarithmic ? range.low * std::pow(range.high / range.low, along)
                                          : range.low + (range.high - range.low) * along);
    }
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

/// The spread of the distributions of very many flows.
void add_spread(Picture& picture, const RunResults& run, const DistributionMeasure& measure, const ValueAxis& axis,
                Share share_of) {
    if (run.flows.size() <= kMostCurves or picture.curves.empty()) {
        return;
    }
    const std::vector<const std::vector<HistogramBin>*> histograms = histograms_together(run, measure);
    Band middle{"10 % to 90 % of the " + noun(run) + "s", {{}}, 0, false};
    Curve lowest{"lowest " + noun(run), 2, Stroke::thin, false, {{}}};
    Curve highest{"highest " + noun(run), 1, Stroke::thin, false, {{}}};
    std::vector<std::vector<CdfPoint>> cdfs;
    cdfs.reserve(histograms.size());
    for (const auto* bins : histograms) {
        cdfs.push_back(cdf_of(*bins));
    }
    std::vector<double> shares;
    for (const double place : places_of(cdf_of(merged(histograms)), axis)) {
        shares.clear();
        for (const auto& cdf : cdfs) {
            shares.push_back(share_of(share_at(cdf, place)));
        }
        std::ranges::sort(shares);
        const double x = (axis.logarithmic ? std::max(place, axis.range.low) : place) * axis.unit.factor;
        middle.pieces.front().push_back({x, quantile(shares, 0.1), quantile(shares, 0.9)});
        lowest.pieces.front().push_back({x, shares.front()});
        highest.pieces.front().push_back({x, shares.back()});
    }
    picture.bands.push_back(std::move(middle));
    picture.curves.insert(picture.curves.begin(), {std::move(highest), std::move(lowest)});
}

}  // namespace

std::optional<Picture> draw_cdf(const RunResults& run, const DistributionMeasure& measure) {
    const std::vector<NamedCdf> cdfs = distribution_curves(run, measure);
    if (cdfs.empty()) {
        return std::nullopt;
    }
    const ValueAxis axis = axis_for(cdfs);
    Picture picture;
    picture.title = distribution_title(run, measure, cdfs, "");
    set_value_axis(picture, axis, measure.what);
    picture.y_label = std::string("share of ") + measure.values + " not above";
    picture.y_range = {0, 1.02};
    for (const NamedCdf& cdf : cdfs) {
        picture.curves.push_back(curve_of(cdf, axis, not_above, 0));
    }
    add_spread(picture, run, measure, axis, not_above);
    return picture;
}

std::optional<Picture> draw_ccdf(const RunResults& run, const DistributionMeasure& measure) {
    const std::vector<NamedCdf> cdfs = distribution_curves(run, measure);
    if (cdfs.empty()) {
        return std::nullopt;
    }
    double most = 1;
    for (const NamedCdf& cdf : cdfs) {
        most = std::max(most, cdf.count);
    }
    // Half a value: rarer ones cannot be seen; what was asked for is shown down to the same share.
    const double least = std::max(0.5 / most, std::pow(10, -static_cast<double>(kMostDecades)));
    const ValueAxis axis = axis_for(cdfs);
    Picture picture;
    picture.title = distribution_title(run, measure, cdfs, ", tail");
    set_value_axis(picture, axis, measure.what);
    picture.y_label = std::string("share of ") + measure.values + " above";
    picture.log_y = true;
    double rarest = 1;
    for (const NamedCdf& cdf : cdfs) {
        Curve curve = curve_of(cdf, axis, above, least);
        if (not curve.pieces.front().empty()) {
            rarest = std::min(rarest, std::ranges::min(curve.pieces.front(), {}, &PicturePoint::y).y);
            picture.curves.push_back(std::move(curve));
        }
    }
    // No deeper than the data: the last bin may hold many values. At least a decade.
    picture.y_range = {std::clamp(rarest / 2, std::min(least, kLeastDepth), kLeastDepth), 1.2};
    picture.y_ticks = decades_below_one(picture.y_range.low);
    return picture;
}

}  // namespace groma
