#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "common/model/text/human.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/pictures/batch_drawing.hpp"
#include "plots/results/over_time.hpp"

namespace groma {

namespace {

constexpr double kSweepLogSpan = 20;
constexpr std::size_t kMostTicks = 12;  // one at each place

/// " [pps]": what follows the number in all values of a key; empty if it differs.
std::string unit_of_key(const BatchResults& results, const std::string& key) {
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

struct Sweep {
    Picture picture;
    BatchExtent x;
    BatchExtent y;
    std::set<double> places;
    bool barred = false;
};

Sweep sweep_of(const BatchResults& results, const DrawnFigure& figure, const std::string& key) {
    std::vector<std::string> others = results.varied_keys();
    std::erase(others, key);
    std::map<std::string, std::size_t> curves;
    Sweep sweep;
    for (const BatchGroup& group : results.groups) {
        const BatchFigure* found = figure_of(group, figure);
        const BatchValue at = value_of(group, key);
        if (found == nullptr or not at.number) {
            continue;
        }
        const auto [place, is_new] = curves.emplace(named_label_of(group, others), curves.size());
        if (is_new) {
            const std::string name = others.empty() ? "mean" : place->first;
            sweep.picture.curves.push_back({name, place->second, Stroke::solid, true, {{}}});
        }
        Curve& curve = sweep.picture.curves[place->second];
        curve.pieces.front().push_back({*at.number, found->mean});
        sweep.places.insert(*at.number);
        sweep.x.include(*at.number);
        sweep.y.include(found->mean);
        if (found->low and found->high) {
            curve.bars.push_back({*at.number, *found->low, *found->high});
            sweep.barred = true;
        }
    }
    return sweep;
}

/// An interval of two runs may be far wider than everything that was measured: the axis follows the means.
void make_room_for_bars(Sweep& sweep) {
    BatchExtent& y = sweep.y;
    for (const Curve& curve : sweep.picture.curves) {
        for (const BandPoint& bar : curve.bars) {
            y.include(std::clamp(bar.low, y.low - (y.high - y.low), y.high));
            y.include(std::clamp(bar.high, y.low, y.high + (y.high - y.low)));
        }
    }
}

void scale(Picture& picture, double factor) {
    for (Curve& curve : picture.curves) {
        for (PicturePoint& point : curve.pieces.front()) {
            point.y *= factor;
        }
        for (BandPoint& bar : curve.bars) {
            bar = {bar.x, bar.low * factor, bar.high * factor};
        }
    }
}

void set_key_axis(Picture& picture, const BatchExtent& x, const std::set<double>& places) {
    picture.log_x = x.low > 0 and x.high >= kSweepLogSpan * x.low;
    picture.x_range = picture.log_x ? AxisRange{x.low / 1.3, x.high * 1.3}
                                    : AxisRange{x.low - 0.06 * (x.high - x.low), x.high + 0.06 * (x.high - x.low)};
    for (const double place : places) {
        picture.x_ticks.push_back({place, number_label(place)});
    }
    if (places.size() > kMostTicks) {
        picture.x_ticks = picture.log_x ? logarithmic_ticks(picture.x_range, number_label) : std::vector<AxisTick>();
    }
}

}  // namespace

std::optional<Picture> draw_sweep(const BatchResults& results, const DrawnFigure& figure, const std::string& key) {
    Sweep sweep = sweep_of(results, figure, key);
    if (sweep.places.size() < 2) {
        return std::nullopt;
    }
    Picture& picture = sweep.picture;
    const std::size_t all = picture.curves.size();
    picture.curves.resize(std::min(all, kMostCurves));
    for (Curve& curve : picture.curves) {
        std::ranges::sort(curve.pieces.front(), {}, &PicturePoint::x);
    }
    make_room_for_bars(sweep);
    scale(picture, set_value_axis(picture, figure, sweep.y).factor);
    picture.stem = fmt::format("sweep-{}-by-{}", figure.stem, key);
    picture.title = fmt::format("{} by {}", figure.what, key) + none_note(figure, sweep.y);
    picture.title +=
        sweep.barred ? fmt::format(", bars: {} % confidence", significant(100 * results.confidence)) : std::string();
    picture.title += all > kMostCurves ? fmt::format(" (the first {} of {} curves)", kMostCurves, all) : std::string();
    picture.x_label = key + unit_of_key(results, key);
    set_key_axis(picture, sweep.x, sweep.places);
    return std::move(sweep.picture);
}

}  // namespace groma
