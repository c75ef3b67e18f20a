#include "plots/pictures/rate_picture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "common/base/counted.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"

namespace groma {

namespace {

class RatePicture {
public:
    RatePicture(const CalibrationResults& results, const RateFigure& figure)
        : results_(results), figure_(figure), first_(results.points.front().series) {}

    std::optional<Picture> draw() {
        for (std::size_t i = 0; i < figure_.columns.size(); ++i) {
            add_curves(i);
        }
        std::erase_if(picture_.curves, [](const Curve& curve) { return curve.pieces.front().empty(); });
        if (picture_.curves.empty()) {
            return std::nullopt;
        }
        finish();
        return std::move(picture_);
    }

private:
    void add_curves(std::size_t column) {
        const CalibrationSeries* before = nullptr;
        std::size_t look = 0;
        for (const CalibrationPoint& point : results_.points) {
            const auto found = point.figures.find(figure_.columns[column]);
            if (not differs_only_in(figure_.varied, point.series, first_) or found == point.figures.end()) {
                continue;
            }
            if (before == nullptr or *before != point.series) {
                Curve curve;
                curve.name = series_name(figure_.varied, point.series);
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
        if (x <= 0 or y <= 0) {
            return;  // nothing was sent, or of no bits: no place on a logarithmic axis
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
    const CalibrationSeries first_;
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

}  // namespace

bool differs_only_in(Varied varied, const CalibrationSeries& series, const CalibrationSeries& first) {
    CalibrationSeries like = series;
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

std::string series_name(Varied varied, const CalibrationSeries& series) {
    switch (varied) {
        case Varied::size:
            return counted(static_cast<std::uint64_t>(series.size_bytes), "byte");
        case Varied::logging:
            return "logs: " + series.logging;
        case Varied::distribution:
            break;
    }
    return series.distribution;
}

std::optional<Picture> draw_against_rate(const CalibrationResults& results, const RateFigure& figure) {
    return RatePicture(results, figure).draw();
}

}  // namespace groma
