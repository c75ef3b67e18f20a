#include "plots/pictures/scale_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"

namespace groma {

namespace {

constexpr AxisRange kEmptyRange{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};

std::string scale_label(double seconds) {
    return tick_label(seconds * 1e9);
}

std::string power_label(double value) {
    return fmt::format("{:.3g}", value);
}

const FittedHurst* estimate_of(const FittedTraffic& traffic, std::string_view method) {
    for (const auto& [name, estimate] : traffic.hurst) {
        if (name.starts_with(method)) {
            return &estimate;
        }
    }
    return nullptr;
}

std::string name_with(const FittedTraffic& traffic, const FittedHurst* estimate) {
    if (estimate == nullptr) {
        return traffic.name;
    }
    return fmt::format("{}, H {:.2f}", traffic.name, estimate->value);
}

/// A line of a slope through the middle of the points from `from` to `to`; nothing below two of them.
std::optional<Curve> line_through(const std::vector<PicturePoint>& points, AxisRange from_to, double slope) {
    double x = 0;
    double y = 0;
    double count = 0;
    AxisRange held{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    for (const PicturePoint& point : points) {
        // Scales are compared after they went through a file.
        if (point.x >= from_to.low - 1e-9 and point.x <= from_to.high + 1e-9) {
            x += point.x;
            y += point.y;
            count += 1;
            held = {std::min(held.low, point.x), std::max(held.high, point.x)};
        }
    }
    if (count < 2) {
        return std::nullopt;
    }
    const auto at = [&](double where) { return PicturePoint{where, y / count + slope * (where - x / count)}; };
    return Curve{{}, 0, Stroke::wide, false, {{at(held.low), at(held.high)}}};
}

void fit_log_axes(Picture& picture) {
    AxisRange x{std::numeric_limits<double>::max(), 0};
    AxisRange y = x;
    for (const Curve& curve : picture.curves) {
        for (const PicturePoint& point : curve.pieces.front()) {
            x = {std::min(x.low, point.x), std::max(x.high, point.x)};
            y = {std::min(y.low, point.y), std::max(y.high, point.y)};
        }
    }
    picture.log_x = picture.log_y = true;
    picture.x_range = {x.low / 1.2, x.high * 1.2};
    picture.y_range = {y.low / 1.5, y.high * 1.5};
    picture.x_ticks = logarithmic_ticks(picture.x_range, scale_label);
    picture.y_ticks = logarithmic_ticks(picture.y_range, power_label);
    picture.x_label = "scale of time";
}

Curve curve_of(const std::vector<FitPoint>& points, std::string name, std::size_t look) {
    Curve curve{std::move(name), look, Stroke::solid, true, {{}}};
    for (const FitPoint& point : points) {
        curve.pieces.front().push_back({point.x, point.y});
    }
    return curve;
}

}  // namespace

std::optional<Picture> draw_dispersion(std::span<const FittedTraffic> all) {
    Picture picture;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (not all[i].dispersion.empty()) {
            picture.curves.push_back(curve_of(all[i].dispersion, all[i].name, i));
        }
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.title = "index of dispersion for counts (1: as a Poisson process)";
    picture.y_label = "variance / mean of the packets in a window";
    fit_log_axes(picture);
    picture.curves.push_back(
        {"Poisson", 4, Stroke::thin, false, {{{picture.x_range.low, 1}, {picture.x_range.high, 1}}}});
    picture.y_range = {std::min(picture.y_range.low, 0.8), std::max(picture.y_range.high, 1.25)};
    picture.y_ticks = logarithmic_ticks(picture.y_range, power_label);
    return picture;
}

std::optional<Picture> draw_variance_time(std::span<const FittedTraffic> all) {
    Picture picture;
    std::vector<Curve> lines;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].variance_time.empty()) {
            continue;
        }
        const FittedHurst* estimate = estimate_of(all[i], "variance");
        picture.curves.push_back(curve_of(all[i].variance_time, name_with(all[i], estimate), i));
        if (estimate == nullptr or estimate->from_s <= 0 or estimate->to_s <= 0) {
            continue;
        }
        std::vector<PicturePoint> logs;
        for (const FitPoint& point : all[i].variance_time) {
            logs.push_back({std::log10(point.x), std::log10(point.y)});
        }
        if (auto line = line_through(logs, {std::log10(estimate->from_s), std::log10(estimate->to_s)},
                                     2 * estimate->value - 2)) {
            for (PicturePoint& point : line->pieces.front()) {
                point = {std::pow(10, point.x), std::pow(10, point.y)};
            }
            line->name = fmt::format("slope {:.2f}", 2 * estimate->value - 2);
            line->look = i;
            lines.push_back(*std::move(line));
        }
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.curves.insert(picture.curves.begin(), lines.begin(), lines.end());
    picture.title = "variance-time plot (slope 2H - 2)";
    picture.y_label = "variance of the mean rate in a window, relative";
    fit_log_axes(picture);
    return picture;
}

namespace {

/// Energies of the octaves with their intervals, and the range of the octaves that the estimate used.
struct LogscaleCurve {
    Curve curve;
    AxisRange used = kEmptyRange;
};

LogscaleCurve logscale_curve(const FittedTraffic& traffic, const FittedHurst* estimate, std::size_t look, AxisRange& x,
                             AxisRange& y) {
    LogscaleCurve found{.curve = curve_of(traffic.wavelet, name_with(traffic, estimate), look)};
    for (std::size_t j = 0; j < traffic.wavelet.size(); ++j) {
        const FitPoint& point = traffic.wavelet[j];
        const double low = std::min(point.low.value_or(point.y), point.y);
        const double high = std::max(point.high.value_or(point.y), point.y);
        if (high > low) {
            found.curve.bars.push_back({point.x, low, high});
        }
        x = {std::min(x.low, point.x), std::max(x.high, point.x)};
        y = {std::min(y.low, low), std::max(y.high, high)};
        const double scale = traffic.octave_scales[j].second;
        if (estimate != nullptr and scale >= estimate->from_s * 0.999 and scale <= estimate->to_s * 1.001) {
            found.used = {std::min(found.used.low, point.x), std::max(found.used.high, point.x)};
        }
    }
    return found;
}

}  // namespace

std::optional<Picture> draw_logscale(std::span<const FittedTraffic> all) {
    Picture picture;
    std::vector<Curve> lines;
    AxisRange x = kEmptyRange;
    AxisRange y = kEmptyRange;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].wavelet.empty()) {
            continue;
        }
        const FittedHurst* estimate = estimate_of(all[i], "wavelet");
        LogscaleCurve found = logscale_curve(all[i], estimate, i, x, y);
        if (estimate != nullptr) {
            const double slope = 2 * estimate->value - 1;
            if (auto line = line_through(found.curve.pieces.front(), found.used, slope)) {
                line->name = fmt::format("slope {:.2f}", slope);
                line->look = i;
                lines.push_back(*std::move(line));
            }
        }
        picture.curves.push_back(std::move(found.curve));
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.curves.insert(picture.curves.begin(), lines.begin(), lines.end());
    picture.title = "logscale diagram (slope 2H - 1)";
    picture.x_label = "octave of time";
    picture.y_label = "log2 of the mean energy of the wavelet coefficients";
    picture.x_range = {x.low - 0.5, x.high + 0.5};
    picture.x_ticks = whole_ticks(picture.x_range);
    picture.y_range = {y.low - 0.05 * (y.high - y.low) - 0.5, y.high + 0.05 * (y.high - y.low) + 0.5};
    return picture;
}

}  // namespace groma
