#include "plots/pictures/batch_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "common/cli/human.hpp"
#include "common/stats/fit/sample_statistics.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/results/over_time.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostBoxes = 40;
constexpr std::size_t kMostLabelledCells = 80;
constexpr double kSweepLogSpan = 20;

/// A figure that is drawn. Shares are drawn as they are.
struct DrawnFigure {
    const char* name;
    const char* stem;
    const char* what;
    Quantity quantity;
};

constexpr std::array kFigures = {
    DrawnFigure{"sent_pps", "sent-rate", "packet rate sent", Quantity::packets_per_second},
    DrawnFigure{"rate_error", "rate-error", "rate error", Quantity::share},
    DrawnFigure{"lateness_p99_ns", "lateness-p99", "p99 of lateness", Quantity::nanoseconds},
    DrawnFigure{"lambda2", "lambda2", "lambda squared of the gaps", Quantity::share},
    DrawnFigure{"throughput_bps", "throughput", "throughput received (payload)", Quantity::bits_per_second},
    DrawnFigure{"loss_ratio", "loss", "share of the packets lost", Quantity::share},
    DrawnFigure{"delay_mean_ns", "delay-mean", "mean one-way delay", Quantity::nanoseconds},
    DrawnFigure{"delay_p99_ns", "delay-p99", "p99 of the one-way delay", Quantity::nanoseconds},
};

const BatchFigure* figure_of(const BatchGroup& group, const DrawnFigure& figure) {
    const auto found = group.figures.find(figure.name);
    return found == group.figures.end() ? nullptr : &found->second;
}

BatchValue value_of(const BatchGroup& group, const std::string& key) {
    const auto found = group.keys.find(key);
    return found == group.keys.end() ? BatchValue() : found->second;
}

/// "1000pps, 512": values of these keys.
std::string label_of(const BatchGroup& group, const std::vector<std::string>& keys) {
    std::string label;
    for (const std::string& key : keys) {
        label += (label.empty() ? "" : ", ") + value_of(group, key).text;
    }
    return label;
}

/// " [pps]": what stands behind the number in all values of a key; empty when it is not the same.
std::string unit_of(const BatchResults& results, const std::string& key) {
    std::set<std::string> units;
    for (const BatchGroup& group : results.groups) {
        const BatchValue value = value_of(group, key);
        double number = 0;
        const char* const end = value.text.data() + value.text.size();
        const char* const rest = std::from_chars(value.text.data(), end, number).ptr;
        units.insert(value.number == number ? std::string(rest, end) : std::string());
    }
    return units.size() == 1 and not units.begin()->empty() ? " [" + *units.begin() + ']' : std::string();
}

struct Extent {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

/// Unit and range of the axis on which the figure stands.
AxisUnit set_value_axis(Picture& picture, const DrawnFigure& figure, const Extent& extent) {
    const AxisUnit unit = unit_for(figure.quantity, std::max(std::abs(extent.low), std::abs(extent.high)));
    picture.y_label = axis_label(figure.what, unit);
    picture.y_range = roomy_range(extent.low * unit.factor, extent.high * unit.factor);
    return unit;
}

std::optional<Picture> draw_boxes(const BatchResults& results, const DrawnFigure& figure) {
    const std::vector<std::string> varied = results.varied_keys();
    Picture picture;
    Curve runs{"a run each", 1, Stroke::dots, true, {{}}};
    Extent extent;
    bool several = false;
    std::size_t groups = 0;
    for (const BatchGroup& group : results.groups) {
        const BatchFigure* found = figure_of(group, figure);
        if (found == nullptr or found->values.empty() or ++groups > kMostBoxes) {
            continue;
        }
        const auto x = static_cast<double>(groups);
        const BoxFigures box = box_of(found->values);
        picture.boxes.push_back({x, box.whisker_low, box.lower, box.median, box.upper, box.whisker_high});
        picture.x_ticks.push_back({x, varied.empty() ? "all runs" : label_of(group, varied)});
        for (const double value : found->values) {
            runs.pieces.front().push_back({x, value});
            extent.include(value);
        }
        several = several or found->values.size() > 1;
    }
    if (not several) {
        return std::nullopt;
    }
    const AxisUnit unit = set_value_axis(picture, figure, extent);
    for (Box& box : picture.boxes) {
        box = {box.x,
               box.low * unit.factor,
               box.lower * unit.factor,
               box.median * unit.factor,
               box.upper * unit.factor,
               box.high * unit.factor};
    }
    for (PicturePoint& point : runs.pieces.front()) {
        point.y *= unit.factor;
    }
    picture.curves = {std::move(runs)};
    picture.stem = std::string("box-") + figure.stem;
    picture.title = std::string(figure.what) + ", repetitions";
    if (groups > kMostBoxes) {
        picture.title += fmt::format(" (the first {} of {} groups)", kMostBoxes, groups);
    }
    for (const std::string& key : varied) {
        picture.x_label += (picture.x_label.empty() ? "" : ", ") + key;
    }
    picture.x_range = {0.4, static_cast<double>(picture.boxes.size()) + 0.6};
    const auto length = [](std::size_t sum, const AxisTick& tick) { return sum + tick.label.size() + 2; };
    picture.slanted_ticks =
        std::accumulate(picture.x_ticks.begin(), picture.x_ticks.end(), std::size_t{0}, length) > 90;
    return picture;
}

/// The figure against one key, of groups whose other keys are alike a curve.
std::optional<Picture> draw_sweep(const BatchResults& results, const DrawnFigure& figure, const std::string& key) {
    std::vector<std::string> others = results.varied_keys();
    std::erase(others, key);
    std::map<std::string, std::size_t> curves;
    Picture picture;
    Extent x;
    Extent y;
    std::set<double> places;
    bool barred = false;
    for (const BatchGroup& group : results.groups) {
        const BatchFigure* found = figure_of(group, figure);
        const BatchValue at = value_of(group, key);
        if (found == nullptr or not at.number) {
            continue;
        }
        const auto [place, is_new] = curves.emplace(label_of(group, others), picture.curves.size());
        if (is_new) {
            const std::string name = others.empty() ? "mean" : place->first;
            picture.curves.push_back({name, picture.curves.size(), Stroke::solid, true, {{}}});
        }
        Curve& curve = picture.curves[place->second];
        curve.pieces.front().push_back({*at.number, found->mean});
        places.insert(*at.number);
        x.include(*at.number);
        y.include(found->mean);
        if (found->low and found->high) {
            curve.bars.push_back({*at.number, *found->low, *found->high});
            barred = true;
        }
    }
    if (places.size() < 2) {
        return std::nullopt;
    }
    const std::size_t all = picture.curves.size();
    picture.curves.resize(std::min(all, kMostCurves));
    for (Curve& curve : picture.curves) {
        std::ranges::sort(curve.pieces.front(), {}, &PicturePoint::x);
        for (const BandPoint& bar : curve.bars) {
            // An interval of two runs may be far wider than everything that was measured: the axis follows the means.
            y.include(std::clamp(bar.low, y.low - (y.high - y.low), y.high));
            y.include(std::clamp(bar.high, y.low, y.high + (y.high - y.low)));
        }
    }
    const AxisUnit unit = set_value_axis(picture, figure, y);
    for (Curve& curve : picture.curves) {
        for (PicturePoint& point : curve.pieces.front()) {
            point.y *= unit.factor;
        }
        for (BandPoint& bar : curve.bars) {
            bar = {bar.x, bar.low * unit.factor, bar.high * unit.factor};
        }
    }
    picture.stem = fmt::format("sweep-{}-by-{}", figure.stem, key);
    picture.title = fmt::format("{} by {}", figure.what, key);
    picture.title +=
        barred ? fmt::format(", bars: {} % confidence", significant(100 * results.confidence)) : std::string();
    picture.title += all > kMostCurves ? fmt::format(" (the first {} of {} curves)", kMostCurves, all) : std::string();
    picture.x_label = key + unit_of(results, key);
    picture.log_x = x.low > 0 and x.high >= kSweepLogSpan * x.low;
    picture.x_range = picture.log_x ? AxisRange{x.low / 1.3, x.high * 1.3}
                                    : AxisRange{x.low - 0.06 * (x.high - x.low), x.high + 0.06 * (x.high - x.low)};
    for (const double place : places) {
        picture.x_ticks.push_back({place, number_label(place)});
    }
    if (places.size() > 12) {
        picture.x_ticks = picture.log_x ? logarithmic_ticks(picture.x_range, number_label) : std::vector<AxisTick>();
    }
    return picture;
}

/// The place of each value of a key: numbers rising, other values in the order in which they come.
std::vector<BatchValue> places_of(const BatchResults& results, const std::string& key) {
    std::vector<BatchValue> values;
    for (const BatchGroup& group : results.groups) {
        const BatchValue value = value_of(group, key);
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
    if (std::ranges::all_of(values, [](const BatchValue& value) { return value.number.has_value(); })) {
        std::ranges::sort(values, {}, [](const BatchValue& value) { return *value.number; });
    }
    return values;
}

std::vector<AxisTick> ticks_of(const std::vector<BatchValue>& values) {
    std::vector<AxisTick> ticks;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ticks.push_back({static_cast<double>(i), values[i].text});
    }
    return ticks;
}

std::optional<Picture> draw_heat(const BatchResults& results, const DrawnFigure& figure) {
    const std::vector<std::string> varied = results.varied_keys();
    if (varied.size() != 2) {
        return std::nullopt;
    }
    const std::vector<BatchValue> columns = places_of(results, varied[0]);
    const std::vector<BatchValue> rows = places_of(results, varied[1]);
    Picture picture;
    Extent extent;
    for (const BatchGroup& group : results.groups) {
        if (const BatchFigure* found = figure_of(group, figure)) {
            const auto x =
                static_cast<double>(std::ranges::find(columns, value_of(group, varied[0])) - columns.begin());
            const auto y = static_cast<double>(std::ranges::find(rows, value_of(group, varied[1])) - rows.begin());
            picture.cells.push_back({{x - 0.5, x + 0.5}, {y - 0.5, y + 0.5}, found->mean});
            extent.include(found->mean);
        }
    }
    if (picture.cells.empty()) {
        return std::nullopt;
    }
    const AxisUnit unit = unit_for(figure.quantity, std::max(std::abs(extent.low), std::abs(extent.high)));
    for (Cell& cell : picture.cells) {
        cell.value *= unit.factor;
        cell.label = picture.cells.size() <= kMostLabelledCells ? significant(cell.value, 3) : std::string();
    }
    picture.stem = std::string("heat-") + figure.stem;
    picture.title = fmt::format("{}, means", figure.what);
    picture.cell_label = axis_label(figure.what, unit);
    picture.x_label = varied[0];
    picture.y_label = varied[1];
    picture.x_ticks = ticks_of(columns);
    picture.y_ticks = ticks_of(rows);
    picture.x_range = {-0.5, static_cast<double>(columns.size()) - 0.5};
    picture.y_range = {-0.5, static_cast<double>(rows.size()) - 0.5};
    return picture;
}

}  // namespace

std::vector<Picture> batch_pictures(const BatchResults& results) {
    std::vector<Picture> pictures;
    const auto add = [&](std::optional<Picture> picture) {
        if (picture) {
            picture->title = (results.title.empty() ? "" : results.title + ": ") + picture->title;
            pictures.push_back(*std::move(picture));
        }
    };
    for (const DrawnFigure& figure : kFigures) {
        add(draw_boxes(results, figure));
        for (const std::string& key : results.varied_keys()) {
            add(draw_sweep(results, figure, key));
        }
        add(draw_heat(results, figure));
    }
    return pictures;
}

std::vector<std::pair<std::string, std::string>> batch_kinds() {
    return {{"box", "box plots across the repetitions of each group, of each figure"},
            {"sweep", "figures against a key with numbers, with confidence bars"},
            {"heat", "figures as a map of two keys"}};
}

std::string batch_kind_of(const Picture& picture) {
    return picture.stem.substr(0, picture.stem.find('-'));
}

}  // namespace groma
