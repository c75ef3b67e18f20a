#include "plots/pictures/calibration_pictures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/pictures/density_pictures.hpp"

namespace groma {

namespace {

using Series = CalibrationSeries;

enum class Varied { size, logging, distribution };

/// A figure that is drawn against the rate that was asked for.
struct RateFigure {
    const char* stem;
    const char* what;
    std::vector<std::string> columns;  ///< a curve for each
    std::vector<std::string> names;    ///< of these curves; empty: the series' alone
    Varied varied;
    std::string (*label)(double);
    double least;          ///< of the axis: smaller values are drawn there; 0: there is no such bound
    bool ideal = false;    ///< with the line on which sent is what was asked
    bool per_bit = false;  ///< against the bit rate asked for
};

const std::vector<RateFigure>& rate_figures() {
    static const std::vector<RateFigure> kFigures = {
        {"sent-rate", "packets sent per second", {"sent_pps"}, {}, Varied::size, number_label, 0, true},
        {"sent-bit-rate",
         "bits of payload sent per second",
         {"sent_bps"},
         {},
         Varied::size,
         number_label,
         0,
         true,
         true},
        {"logging", "packets sent per second, by logging", {"sent_pps"}, {}, Varied::logging, number_label, 0, true},
        {"rate-error", "error of the rate", {"rate_error"}, {}, Varied::size, number_label, 1e-7},
        {"lambda2",
         "lambda squared of the gaps (0.0001 and below on the lower edge)",
         {"lambda2"},
         {},
         Varied::distribution,
         number_label,
         1e-4},
        {"lateness",
         "lateness of departures",
         {"lateness_p50_ns", "lateness_p99_ns"},
         {"half of the packets", "99 %"},
         Varied::size,
         tick_label,
         1},
        {"gap-error",
         "error of the gaps",
         {"gap_error_p50_ns", "gap_error_p99_ns"},
         {"half of the gaps", "99 %"},
         Varied::size,
         tick_label,
         1},
    };
    return kFigures;
}

/// All series that differ from the first in what is varied only.
bool belongs(const Series& series, const Series& first, Varied varied) {
    Series like = series;
    switch (varied) {
        case Varied::size:
            like.size_bytes = first.size_bytes;
            break;
        case Varied::logging:
            like.logging = first.logging;
            break;
        case Varied::distribution:
            like.distribution = first.distribution;
            break;
    }
    return like == first;
}

std::string name_of(const Series& series, Varied varied) {
    switch (varied) {
        case Varied::size:
            return std::to_string(series.size_bytes) + " bytes";
        case Varied::logging:
            return "logs: " + series.logging;
        case Varied::distribution:
            break;
    }
    return series.distribution;
}

class RatePicture {
public:
    RatePicture(const CalibrationResults& results, const RateFigure& figure)
        : results_(results), figure_(figure), first_(results.points.front().series) {}

    std::optional<Picture> draw() {
        for (std::size_t i = 0; i < figure_.columns.size(); ++i) {
            add_curves(i);
        }
        if (picture_.curves.empty()) {
            return std::nullopt;
        }
        finish();
        return std::move(picture_);
    }

private:
    void add_curves(std::size_t column) {
        const Series* before = nullptr;
        std::size_t look = 0;
        for (const CalibrationPoint& point : results_.points) {
            const auto found = point.figures.find(figure_.columns[column]);
            if (not belongs(point.series, first_, figure_.varied) or found == point.figures.end()) {
                continue;
            }
            if (before == nullptr or *before != point.series) {
                Curve curve;
                curve.name = name_of(point.series, figure_.varied);
                curve.name += figure_.names.empty() ? "" : ": " + figure_.names[column];
                curve.look = look++;
                curve.stroke = column == 0 and not figure_.names.empty() ? Stroke::thin : Stroke::solid;
                curve.pieces.emplace_back();
                picture_.curves.push_back(std::move(curve));
                before = &point.series;
            }
            add_point(picture_.curves.back(), point, found->second);
        }
    }

    void add_point(Curve& curve, const CalibrationPoint& point, const MedianRange& value) {
        const double x =
            figure_.per_bit ? 8 * point.rate_pps * static_cast<double>(point.series.size_bytes) : point.rate_pps;
        const double y = at_least(value.median);
        if (y <= 0) {
            return;  // nothing was sent: no place on a logarithmic axis
        }
        curve.pieces.front().push_back({x, y});
        if (value.high > value.low and at_least(value.low) > 0) {
            curve.bars.push_back({x, at_least(value.low), at_least(value.high)});
        }
        hold(x, y, at_least(value.low) > 0 ? at_least(value.low) : y, at_least(value.high));
    }

    [[nodiscard]] double at_least(double value) const { return std::max(value, figure_.least); }

    void hold(double x, double y, double low, double high) {
        if (picture_.x_range.high < picture_.x_range.low) {
            picture_.x_range = {x, x};
            picture_.y_range = {y, y};
        }
        picture_.x_range = {std::min(picture_.x_range.low, x), std::max(picture_.x_range.high, x)};
        picture_.y_range = {std::min({picture_.y_range.low, low, y}), std::max({picture_.y_range.high, high, y})};
    }

    void finish() {
        std::erase_if(picture_.curves, [](const Curve& curve) { return curve.pieces.front().empty(); });
        if (figure_.ideal) {
            add_ideal();
        }
        picture_.stem = figure_.stem;
        picture_.title = figure_.what;
        picture_.x_label = figure_.per_bit ? "bits of payload asked for per second" : "packets asked for per second";
        picture_.y_label = picture_.title.substr(0, picture_.title.find(" ("));
        picture_.log_x = picture_.log_y = true;
        picture_.x_range = widened(picture_.x_range);
        picture_.y_range = widened(picture_.y_range);
        picture_.x_ticks = logarithmic_ticks(picture_.x_range, number_label);
        picture_.y_ticks = logarithmic_ticks(picture_.y_range, figure_.label);
    }

    void add_ideal() {
        const AxisRange range = picture_.x_range;
        picture_.curves.insert(picture_.curves.begin(),
                               Curve{.name = "as asked",
                                     .look = 4,  // black
                                     .stroke = Stroke::wide,
                                     .marked = false,
                                     .pieces = {{{range.low, range.low}, {range.high, range.high}}}});
        hold(range.low, range.low, range.low, range.low);
        hold(range.high, range.high, range.high, range.high);
    }

    /// Some room on both sides of a logarithmic axis, also around a single value.
    static AxisRange widened(const AxisRange& range) {
        const double room = std::max(std::pow(range.high / range.low, 0.04), 1.15);
        return {range.low / room, range.high * room};
    }

    const CalibrationResults& results_;
    const RateFigure& figure_;
    const Series first_;
    Picture picture_{.stem = {},
                     .title = {},
                     .x_label = {},
                     .y_label = {},
                     .x_ticks = {},
                     .y_ticks = {},
                     .x_range = {1, 0},
                     .y_range = {1, 0},
                     .bands = {},
                     .curves = {}};
};

/// The share that did not arrive, for which zero is the best value: not logarithmic.
std::optional<Picture> loss_picture(const CalibrationResults& results) {
    double most = 0;
    double last = 0;
    double first = 0;
    Picture picture;
    const Series* before = nullptr;
    for (const CalibrationPoint& point : results.points) {
        const auto lost = point.figures.find("lost");
        const auto sent = point.figures.find("sent_packets");
        if (not belongs(point.series, results.points.front().series, Varied::size) or lost == point.figures.end() or
            sent == point.figures.end() or sent->second.median <= 0) {
            continue;
        }
        if (before == nullptr or *before != point.series) {
            picture.curves.push_back(
                {name_of(point.series, Varied::size), picture.curves.size(), Stroke::solid, true, {{}}});
            before = &point.series;
        }
        const double share = lost->second.median / sent->second.median;
        picture.curves.back().pieces.front().push_back({point.rate_pps, share});
        most = std::max(most, share);
        first = first > 0 ? std::min(first, point.rate_pps) : point.rate_pps;
        last = std::max(last, point.rate_pps);
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.stem = "loss";
    picture.title = "packets sent that did not arrive";
    picture.x_label = "packets asked for per second";
    picture.y_label = "share of the packets sent";
    picture.log_x = true;
    picture.x_range = {first / 1.15, last * 1.15};
    picture.x_ticks = logarithmic_ticks(picture.x_range, number_label);
    picture.y_range = {0, std::max(1.05 * most, 0.001)};
    return picture;
}

}  // namespace

std::vector<Picture> calibration_pictures(const CalibrationResults& results) {
    std::vector<Picture> pictures;
    if (results.points.empty()) {
        return pictures;
    }
    for (const RateFigure& figure : rate_figures()) {
        if (auto picture = RatePicture(results, figure).draw()) {
            pictures.push_back(*std::move(picture));
        }
    }
    if (auto picture = loss_picture(results)) {
        pictures.push_back(*std::move(picture));
    }
    for (Picture& picture : density_pictures(results.densities)) {
        pictures.push_back(std::move(picture));
    }
    for (Picture& picture : pictures) {
        picture.title = results.title + ": " + picture.title;
    }
    return pictures;
}

std::vector<std::pair<std::string, std::string>> calibration_kinds() {
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const RateFigure& figure : rate_figures()) {
        kinds.emplace_back(figure.stem, figure.what);
    }
    kinds.emplace_back("loss", "packets sent that did not arrive");
    kinds.emplace_back("density", "gaps sent against gaps asked for, of each distribution");
    return kinds;
}

std::string calibration_kind_of(const Picture& picture) {
    return picture.stem.starts_with("density-") ? "density" : picture.stem;
}

}  // namespace groma
