#include "plots/pictures/series_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/model/text/human.hpp"
#include "plots/gnuplot/log_axis.hpp"

namespace groma {

namespace {

/// Extremes of what a picture shows, in base units.
struct Extent {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

void add_curves(Picture& picture, const RunResults& run, const FigureLines& lines) {
    for (std::size_t i = 0; i < lines.flows.size(); ++i) {
        if (not lines.flows[i].pieces.empty()) {
            picture.curves.push_back(
                {run.flows[i].name, i, Stroke::solid, true, lines.flows[i].pieces, {}, lines.flows[i].extremes});
        }
    }
}

/// Draws an interval without neighbours as an area of its width.
void widen_points(Band& band, const RunResults& run) {
    for (auto& piece : band.pieces) {
        if (piece.size() == 1) {
            const BandPoint point = piece.front();
            piece = {{point.x - run.interval_s / 2, point.low, point.high},
                     {point.x + run.interval_s / 2, point.low, point.high}};
        }
    }
}

/// The area between two lines with the same places: from extreme to extreme of a column, or between the medians of
/// columns.
std::vector<std::vector<BandPoint>> between(const ThinnedLine& low, const ThinnedLine& high, bool extremes) {
    std::vector<std::vector<BandPoint>> pieces;
    for (std::size_t i = 0; i < low.pieces.size(); ++i) {
        std::vector<BandPoint>& piece = pieces.emplace_back();
        for (std::size_t k = 0; k < low.pieces[i].size(); ++k) {
            const bool farther = extremes and not low.extremes.empty();
            piece.push_back({low.pieces[i][k].x, farther ? low.extremes[i][k].low : low.pieces[i][k].y,
                             farther ? high.extremes[i][k].high : high.pieces[i][k].y});
        }
    }
    return pieces;
}

/// The span from smallest to largest value of each interval, behind the mean of a single flow.
void add_band(Picture& picture, const RunResults& run, const FigureLines& lines) {
    Band band{"smallest to largest", between(lines.low, lines.high, true)};
    if (not band.pieces.empty()) {
        widen_points(band, run);
        picture.bands.push_back(std::move(band));
    }
}

/// For many flows: the spread of their values in each interval.
void add_spread(Picture& picture, const RunResults& run, const SeriesMeasure& measure, const SpreadLines& spread) {
    if (spread.median.pieces.empty()) {
        return;
    }
    Band band{"10 % to 90 % of the " + noun(run) + "s", between(spread.tenth, spread.ninetieth, false), 0, false};
    widen_points(band, run);
    picture.bands.push_back(std::move(band));
    const auto add = [&](const std::string& name, const ThinnedLine& line, std::size_t look, Stroke stroke) {
        picture.curves.push_back({name, look, stroke, stroke == Stroke::solid, line.pieces, {}, line.extremes});
    };
    add("highest " + noun(run), spread.highest, 1, Stroke::thin);
    add("median " + noun(run), spread.median, 0, Stroke::solid);
    add("lowest " + noun(run), spread.lowest, 2, Stroke::thin);
    add(has_total(run, measure) ? fmt::format("total / {}", run.flows.size()) : "mean " + noun(run), spread.mean, 4,
        Stroke::solid);
}

void include(Extent& extent, const std::vector<std::vector<BandPoint>>& pieces) {
    for (const auto& piece : pieces) {
        for (const BandPoint& point : piece) {
            extent.include(point.low);
            extent.include(point.high);
        }
    }
}

void include(Extent& extent, const Curve& curve) {
    include(extent, curve.extremes);
    for (const auto& piece : curve.pieces) {
        for (const PicturePoint& point : piece) {
            extent.include(point.y);
        }
    }
}

Extent values_of(const Picture& picture) {
    Extent extent;
    for (const Band& band : picture.bands) {
        include(extent, band.pieces);
    }
    for (const Curve& curve : picture.curves) {
        include(extent, curve);
    }
    return extent;
}

void scale(std::vector<std::vector<BandPoint>>& pieces, double x_factor, double y_factor) {
    for (auto& piece : pieces) {
        for (BandPoint& point : piece) {
            point = {point.x * x_factor, point.low * y_factor, point.high * y_factor};
        }
    }
}

void scale(Picture& picture, double x_factor, double y_factor) {
    for (Band& band : picture.bands) {
        scale(band.pieces, x_factor, y_factor);
    }
    for (Curve& curve : picture.curves) {
        scale(curve.extremes, x_factor, y_factor);
        for (auto& piece : curve.pieces) {
            for (PicturePoint& point : piece) {
                point = {point.x * x_factor, point.y * y_factor};
            }
        }
    }
}

/// Where the axis ends if largest values far above the means would make these a line at its bottom: kMostSpans times as
/// far from the smallest value as the highest mean. Infinite if the means are not above the smallest value.
double limit_of(const Picture& picture, const Band& band) {
    constexpr double kMostSpans = 5;
    double lowest = std::numeric_limits<double>::max();
    for (const auto& piece : band.pieces) {
        lowest = std::min(lowest, std::ranges::min(piece, {}, &BandPoint::low).low);
    }
    Extent means;
    for (const Curve& curve : picture.curves) {
        include(means, curve);
    }
    return means.high > lowest ? lowest + kMostSpans * (means.high - lowest) : std::numeric_limits<double>::infinity();
}

/// Ends the band at the axis, with a point there for each largest value beyond. Returns: the largest of these; empty:
/// all are on the axis.
std::optional<double> clip_band(Picture& picture) {
    Band& band = picture.bands.back();
    const double limit = limit_of(picture, band);
    double largest = limit;
    Curve beyond{"largest, beyond the axis", 2, Stroke::dots, true, {{}}};
    for (auto& piece : band.pieces) {
        for (BandPoint& point : piece) {
            if (point.high > limit) {
                largest = std::max(largest, point.high);
                point = {point.x, std::min(point.low, limit), limit};
                beyond.pieces.front().push_back({point.x, limit});
            }
        }
    }
    if (beyond.pieces.front().empty()) {
        return std::nullopt;
    }
    picture.curves.push_back(std::move(beyond));
    return largest;
}

/// Without any loss: says so, and shows the line at zero beside the axis.
void show_none(Picture& picture, const SeriesMeasure& measure, bool gaps) {
    picture.title += std::string(": ") + measure.none + (gaps ? " where it is known" : "");
    picture.y_range.low = -0.05;
}

void fit_axes(Picture& picture, const Extent& values, const AxisRange& time_s, const SeriesMeasure& measure) {
    const double end_s = time_s.high;
    const AxisUnit time = unit_for(Quantity::seconds, end_s);
    const AxisUnit unit = unit_for(measure.quantity, values.magnitude());
    scale(picture, time.factor, unit.factor);
    picture.x_label = axis_label("time since the start of the run", time);
    picture.y_label = axis_label(measure.what, unit);
    picture.x_range = {std::min(0.0, time_s.low * time.factor), end_s * time.factor};
    const double low = values.low * unit.factor;
    const double high = values.high * unit.factor;
    // Axes of counts and rates begin at zero; only those of delays may begin elsewhere.
    if (measure.quantity == Quantity::nanoseconds) {
        picture.y_range = roomy_range(low, high);
    } else {
        picture.y_range = {std::min(low, 0.0), high > 0 ? 1.05 * high : 1};
    }
    const bool counts = measure.quantity == Quantity::packets or measure.quantity == Quantity::segments;
    picture.y_ticks = counts and unit.factor == 1 ? whole_ticks(picture.y_range) : std::vector<AxisTick>();
}

}  // namespace

std::optional<Picture> draw_series(const RunResults& run, const SeriesMeasure& measure) {
    const auto place = static_cast<std::size_t>(&measure - series_measures().data());
    if (place >= run.over_time.size()) {
        return std::nullopt;
    }
    const FigureLines& lines = run.over_time[place];
    Picture picture;
    picture.stem = measure.stem;
    picture.title = measure.what;
    add_spread(picture, run, measure, lines.spread);
    add_curves(picture, run, lines);
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    add_band(picture, run, lines);
    const std::optional<double> beyond = lines.low.pieces.empty() ? std::nullopt : clip_band(picture);
    const Extent values = values_of(picture);
    fit_axes(picture, values, {lines.time.low, lines.time.high + run.interval_s / 2}, measure);
    if (beyond) {
        picture.y_range.high = picture.curves.back().pieces.front().front().y;
        picture.title += "; points at the edge: maxima, up to " + human_nanos(*beyond);
    }
    if (measure.none != nullptr and values.magnitude() == 0) {
        show_none(picture, measure, lines.gaps);
    }
    return picture;
}

}  // namespace groma
