#include "plots/pictures/fit_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/pictures/scale_pictures.hpp"

namespace groma {

namespace {

Quantity quantity_of(const std::string& what) {
    return what == "gap" ? Quantity::nanoseconds : Quantity::bytes;
}

std::string call(const std::string& what) {
    return what == "gap" ? "gaps" : "sizes";
}

const FittedValues* values_of(const FittedTraffic& traffic, const std::string& what) {
    const auto found = traffic.values.find(what);
    return found == traffic.values.end() ? nullptr : &found->second;
}

/// "exp:1000pps, lambda squared 0.002".
std::string family_text(const FittedValues& values) {
    if (values.families.empty()) {
        return "the fitted family";
    }
    const FittedFamily& best = values.families.front();
    const std::string name = best.text.empty() ? best.family : best.text;
    return best.lambda2 ? fmt::format("{}, \u03bb\u00b2 {:.2g}", name, *best.lambda2) : name;
}

struct Axis {
    bool logarithmic = false;
    AxisUnit unit;
    AxisRange range;
    std::vector<AxisTick> ticks;
};

Axis axis_of(double low, double high, const std::string& what) {
    if (low > 0 and high > kLogSpan * low) {
        const AxisRange range{low / 1.2, high * 1.2};
        return {true, {1, ""}, range, logarithmic_ticks(range, what == "gap" ? tick_label : number_label)};
    }
    const AxisUnit unit = unit_for(quantity_of(what), std::max(std::abs(low), std::abs(high)));
    return {false, unit, roomy_range(low * unit.factor, high * unit.factor), {}};
}

std::optional<Picture> draw_quantiles(const FittedTraffic& traffic, const std::string& what) {
    const FittedValues* values = values_of(traffic, what);
    if (values == nullptr or values->quantiles.empty()) {
        return std::nullopt;
    }
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    double positive = std::numeric_limits<double>::max();
    for (const QuantilePoint& quantile : values->quantiles) {
        for (const double value : {quantile.model, quantile.observed}) {
            low = std::min(low, value);
            high = std::max(high, value);
            positive = value > 0 ? std::min(positive, value) : positive;
        }
    }
    const Axis axis = axis_of(low < 1 and positive < high ? positive : low, high, what);
    Picture picture;
    picture.title = traffic.name + ": quantiles of the " + call(what) + " against the family that fits best";
    picture.x_label = axis_label("quantile of the family", axis.unit);
    picture.y_label = axis_label("quantile observed", axis.unit);
    picture.log_x = picture.log_y = axis.logarithmic;
    picture.x_range = picture.y_range = axis.range;
    picture.x_ticks = picture.y_ticks = axis.ticks;
    Curve dots{family_text(*values), 0, Stroke::dots, true, {{}}};
    for (const QuantilePoint& quantile : values->quantiles) {
        const double least = axis.logarithmic ? axis.range.low : std::numeric_limits<double>::lowest();
        dots.pieces.front().push_back({std::max(quantile.model * axis.unit.factor, least),
                                       std::max(quantile.observed * axis.unit.factor, least)});
    }
    const double from = axis.range.low;
    const double to = axis.range.high;
    picture.curves = {{"equal", 4, Stroke::wide, false, {{{from, from}, {to, to}}}}, std::move(dots)};
    return picture;
}

/// Without a last bin that holds all that is beyond, and is many times as wide as the others.
std::vector<FitBin> bins_to_draw(const FittedValues& values) {
    constexpr double kFarWider = 4;
    std::vector<FitBin> bins = values.bins;
    if (bins.size() > 2 and
        bins.back().high - bins.back().low > kFarWider * (bins[bins.size() - 2].high - bins[bins.size() - 2].low)) {
        bins.pop_back();
    }
    return bins;
}

/// Shares of the values in each bin, as steps.
struct BinCurves {
    Curve model;
    Curve observed{"observed", 0, Stroke::solid, false, {{}}};
    double most = 0;
};

BinCurves bin_curves(const FittedValues& values, const std::vector<FitBin>& bins, double total, const Axis& axis) {
    BinCurves curves{.model = {family_text(values), 0, Stroke::wide, false, {{}}}};
    for (const FitBin& bin : bins) {
        const double from = std::max(bin.low * axis.unit.factor, axis.logarithmic ? axis.range.low : bin.low);
        const double to = std::max(bin.high * axis.unit.factor, from);
        for (const double x : {from, to}) {
            curves.observed.pieces.front().push_back({x, bin.count / total});
            if (bin.model) {
                curves.model.pieces.front().push_back({x, *bin.model / total});
            }
        }
        curves.most = std::max({curves.most, bin.count / total, bin.model.value_or(0) / total});
    }
    return curves;
}

double count_of(const FittedValues* values) {
    double total = 0;
    if (values != nullptr) {
        for (const FitBin& bin : values->bins) {
            total += bin.count;
        }
    }
    return total;
}

std::optional<Picture> draw_bins(const FittedTraffic& traffic, const std::string& what) {
    const FittedValues* values = values_of(traffic, what);
    const double total = count_of(values);
    if (total <= 0) {
        return std::nullopt;
    }
    const std::vector<FitBin> bins = bins_to_draw(*values);
    double low = bins.front().low;
    if (low <= 0 and bins.size() > 1 and bins[1].low > 0) {
        low = bins[1].low / 2;  // a first bin from 0 on stands at the edge of a logarithmic axis
    }
    const Axis axis = axis_of(low, bins.back().high, what);
    BinCurves curves = bin_curves(*values, bins, total, axis);
    Picture picture;
    picture.title = traffic.name + ": density of the " + call(what) + " and of the family that fits best";
    picture.x_label = axis_label(what == "gap" ? "gap" : "size", axis.unit);
    picture.y_label = "share of the " + call(what) + " in each bin";
    picture.log_x = axis.logarithmic;
    picture.x_range = axis.range;
    picture.x_ticks = axis.ticks;
    picture.y_range = {0, 1.05 * curves.most};
    if (not curves.model.pieces.front().empty()) {
        picture.curves.push_back(std::move(curves.model));
    }
    picture.curves.push_back(std::move(curves.observed));
    return picture;
}

std::optional<Picture> draw_autocorrelation(std::span<const FittedTraffic> all, const std::string& what) {
    Picture picture;
    double lowest = 0;
    double highest = 0;
    double last = 1;
    double noise = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const FittedValues* values = values_of(all[i], what);
        if (values == nullptr or values->autocorrelation.empty()) {
            continue;
        }
        Curve curve{all[i].name, i, Stroke::solid, true, {{}}};
        for (const FitPoint& point : values->autocorrelation) {
            curve.pieces.front().push_back({point.x, point.y});
            lowest = std::min(lowest, point.y);
            highest = std::max(highest, point.y);
            last = std::max(last, point.x);
        }
        noise = std::max(noise, values->white_noise);
        picture.curves.push_back(std::move(curve));
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    const double room = 0.08 * std::max({highest, -lowest, noise});
    picture.title = "autocorrelation of the " + call(what);
    picture.x_label = "lag [" + std::string(what == "gap" ? "gaps" : "packets") + "]";
    picture.y_label = "autocorrelation";
    picture.x_range = {0, last + 1};
    picture.x_ticks = whole_ticks(picture.x_range);
    picture.y_range = {std::min(lowest, -noise) - room - 1e-9, std::max(highest, noise) + room + 1e-9};
    if (noise > 0) {
        const std::string name = picture.curves.size() > 1 ? "white noise, 95 % (the widest)" : "white noise, 95 %";
        picture.bands.push_back({name, {{{0, -noise, noise}, {last + 1, -noise, noise}}}, 4, true});
    }
    return picture;
}

template <typename Draw>
FitKind one_by_one(const char* stem, const char* shows, const char* what, Draw draw) {
    return {stem, shows, true, [what, draw](std::span<const FittedTraffic> all) { return draw(all.front(), what); }};
}

}  // namespace

const std::vector<FitKind>& fit_kinds() {
    static const std::vector<FitKind> kKinds = {
        one_by_one("gap-qq", "quantiles of the gaps against the family that fits best", "gap", draw_quantiles),
        one_by_one("size-qq", "quantiles of the sizes against the family that fits best", "size", draw_quantiles),
        one_by_one("gap-density", "density of the gaps and of the family that fits best", "gap", draw_bins),
        one_by_one("size-density", "density of the sizes and of the family that fits best", "size", draw_bins),
        {"gap-autocorrelation", "autocorrelation of the gaps with the band of white noise", false,
         [](std::span<const FittedTraffic> all) { return draw_autocorrelation(all, "gap"); }},
        {"size-autocorrelation", "autocorrelation of the sizes with the band of white noise", false,
         [](std::span<const FittedTraffic> all) { return draw_autocorrelation(all, "size"); }},
        {"dispersion", "index of dispersion for counts over the scale of time", false, draw_dispersion},
        {"variance-time", "variance of the rate over the scale of time, with slope and H", false, draw_variance_time},
        {"logscale", "energy of the wavelet octaves (logscale diagram), with H", false, draw_logscale},
    };
    return kKinds;
}

}  // namespace groma
