#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "plots/gnuplot/log_axis.hpp"
#include "plots/pictures/distribution_pictures.hpp"
#include "plots/results/distributions.hpp"

namespace groma {

namespace {

/// Evenly spread in the middle; towards both ends down to the rarest that `values` values resolve.
std::vector<double> probabilities(double values) {
    std::vector<double> all;
    const double rarest = 0.5 / values;
    for (int i = 1; i < 100; ++i) {
        if (i / 100.0 >= rarest and 1 - i / 100.0 >= rarest) {
            all.push_back(i / 100.0);
        }
    }
    for (double rare = 0.005; rare >= rarest; rare /= 2) {
        all.push_back(rare);
        all.push_back(1 - rare);
    }
    std::ranges::sort(all);
    return all;
}

bool is_continuous(const std::vector<CdfPoint>& asked) {
    return not asked.empty() and asked.back().value > asked.front().value;
}

/// In ns: what was asked on x, what was sent on y.
std::vector<PicturePoint> pairs_of(const std::vector<CdfPoint>& asked, const NamedCdf& sent) {
    std::vector<PicturePoint> pairs;
    for (const double probability : probabilities(sent.count)) {
        // The distribution that was asked for is known between the ends of its table.
        if (probability >= asked.front().share and probability <= asked.back().share) {
            pairs.push_back({value_at(asked, probability), value_at(sent.points, probability)});
        }
    }
    return pairs;
}

std::vector<Curve> dots_of(const std::vector<NamedCdf>& cdfs) {
    std::vector<Curve> curves;
    for (std::size_t i = 1; i < cdfs.size(); ++i) {
        const NamedCdf& asked = cdfs[i - 1];
        const NamedCdf& sent = cdfs[i];
        if (asked.asked and not sent.asked and asked.look == sent.look and is_continuous(asked.points)) {
            curves.push_back({sent.name, sent.look, Stroke::dots, true, {pairs_of(asked.points, sent)}});
        }
    }
    std::erase_if(curves, [](const Curve& curve) { return curve.pieces.front().empty(); });
    return curves;
}

/// Both axes alike, with the line on which sent is as asked.
void set_axes(Picture& picture) {
    double low = std::numeric_limits<double>::max();
    double high = 0;
    double smallest = std::numeric_limits<double>::max();  // above 0
    for (const Curve& curve : picture.curves) {
        for (const PicturePoint& point : curve.pieces.front()) {
            low = std::min({low, point.x, point.y});
            high = std::max({high, point.x, point.y});
            for (const double value : {point.x, point.y}) {
                smallest = value > 0 ? std::min(smallest, value) : smallest;
            }
        }
    }
    high = std::max(high, 1.0);
    const bool logarithmic = high > kLogSpan * std::max(low, 1.0);
    const AxisUnit unit = logarithmic ? AxisUnit{1, ""} : unit_for(Quantity::nanoseconds, high);
    // Gaps of 0, of packets that left as a batch, stand on the edge of a logarithmic axis.
    const double least = logarithmic ? std::max({low > 0 ? low : smallest / 2, high * 1e-6, 1.0}) : low;
    for (Curve& curve : picture.curves) {
        for (PicturePoint& point : curve.pieces.front()) {
            point = {std::max(point.x, least) * unit.factor, std::max(point.y, least) * unit.factor};
        }
    }
    picture.x_range = picture.y_range =
        logarithmic ? AxisRange{least / 1.2, high * 1.2} : roomy_range(low * unit.factor, high * unit.factor);
    picture.log_x = picture.log_y = logarithmic;
    if (logarithmic) {
        picture.x_ticks = picture.y_ticks = logarithmic_ticks(picture.x_range, tick_label);
    }
    picture.x_label = axis_label("quantile of the gaps asked for", unit);
    picture.y_label = axis_label("quantile of the gaps sent", unit);
    const AxisRange range = picture.x_range;
    picture.curves.insert(picture.curves.begin(),
                          {"as asked", 4, Stroke::wide, false, {{{range.low, range.low}, {range.high, range.high}}}});
}

}  // namespace

std::optional<Picture> draw_qq(const RunResults& run, const DistributionMeasure& measure) {
    Picture picture;
    picture.curves = dots_of(distribution_curves(run, measure));
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.title = std::string(measure.what) + ", quantiles sent against asked" + off_periods_note(run, measure, true);
    set_axes(picture);
    return picture;
}

}  // namespace groma
