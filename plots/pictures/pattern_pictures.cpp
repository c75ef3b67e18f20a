#include "plots/pictures/pattern_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "common/base/counted.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/pictures/distribution_curves.hpp"
#include "plots/results/distributions.hpp"
#include "plots/results/pattern_totals.hpp"

namespace groma {

namespace {

constexpr std::size_t kModelPoints = 240;
constexpr double kRarest = 1e-9;
constexpr double kLeastDepth = 0.05;  // shares are drawn at least down to this

/// Lengths whose tail is drawn.
struct TailMeasure {
    const char* kind;  ///< of the histograms
    double offset;     ///< from a value of the histogram to what is drawn
    /// The model's probability that one ends after a packet; null: no model.
    std::optional<double> (*end_of)(const LossTransitions&) = nullptr;
    const char* parameter = "";
    const char* title;
    const char* x_label;
    const char* y_label;
};

/// The share of values that are at least x, as steps: no values lie between two bins.
std::vector<PicturePoint> tail_of(const std::vector<HistogramBin>& bins, double offset) {
    std::vector<HistogramBin> lengths;
    for (const HistogramBin& bin : bins) {
        // A distance of 1 is within a loss period.
        if (bin.low + offset >= 1) {
            lengths.push_back({bin.low + offset, bin.high + offset, bin.count});
        }
    }
    const double all = total_count(lengths);
    double left = all;
    std::vector<PicturePoint> points;
    for (const HistogramBin& bin : lengths) {
        if (not points.empty() and points.back().y > left / all) {
            points.push_back({points.back().x, left / all});
        }
        points.push_back({bin.low, left / all});
        if (bin.high > bin.low and &bin != &lengths.back()) {
            points.push_back({bin.high, std::max(left - bin.count, 0.0) / all});
        }
        left = std::max(left - bin.count, 0.0);
    }
    return points;
}

/// (1 - end)^(n - 1) for n from 1 to `longest`, as far as it is not below `least`.
std::vector<PicturePoint> geometric_tail(double end, double longest, double least) {
    std::vector<PicturePoint> points;
    double before = 0;
    for (std::size_t i = 0; i <= kModelPoints; ++i) {
        const double n = std::round(std::pow(longest, static_cast<double>(i) / kModelPoints));
        const double share = std::pow(1 - end, n - 1);
        if (n > before and share >= least) {
            points.push_back({n, share});
            before = n;
        }
    }
    return points;
}

struct Lengths {
    double longest = 1;
    double rarest = 1;
    double most = 0;

    void include(const std::vector<PicturePoint>& points) {
        longest = std::max(longest, points.back().x);
        rarest = std::min(rarest, points.back().y);
        most = std::max(most, points.front().y);
    }
};

void set_axes(Picture& picture, const Lengths& lengths) {
    picture.log_x = lengths.longest > kLogSpan;
    picture.x_range = picture.log_x ? AxisRange{0.9, lengths.longest * 1.2} : AxisRange{0, lengths.longest + 1};
    if (picture.log_x) {
        picture.x_ticks = logarithmic_ticks(picture.x_range, number_label);
    } else {
        const double step = std::max(1.0, std::ceil(lengths.longest / 12));
        for (double at = step > 1 ? 0 : 1; at <= lengths.longest; at += step) {
            picture.x_ticks.push_back({at, number_label(at)});
        }
    }
    picture.log_y = true;
    picture.y_range = {std::min(std::max(lengths.rarest / 2, kRarest), kLeastDepth * lengths.most), 1.2 * lengths.most};
    picture.y_ticks = decades_below_one(picture.y_range.low);
}

/// Flows whose curves are drawn: those of the run, or what they are together.
struct ShownPatterns {
    std::vector<const FlowResults*> flows;
    std::vector<FlowResults> together;
};

ShownPatterns shown(const RunResults& run, const char* kind) {
    ShownPatterns it;
    for (const FlowResults& flow : run.flows) {
        if (flow.histograms.contains(kind)) {
            it.flows.push_back(&flow);
        }
    }
    if (it.flows.size() > (run.one == CurveOf::run ? kMostCurves : kMostPairs)) {
        it.together.push_back(patterns_together(it.flows));
        it.together.front().name = counted(it.flows.size(), noun(run)) + " together";
        it.flows = {it.together.data()};
    }
    return it;
}

/// The fitted model's curves, beside the measured ones.
std::vector<Curve> models_of(const std::vector<const FlowResults*>& flows, const TailMeasure& measure,
                             const Lengths& lengths, double least) {
    std::vector<Curve> models;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const auto end = flows[i]->losses ? measure.end_of(*flows[i]->losses) : std::nullopt;
        if (end) {
            const std::string name = fmt::format("{}, Gilbert, {} {:.3g}", flows[i]->name, measure.parameter, *end);
            models.push_back({name, i, Stroke::wide, false, {geometric_tail(*end, lengths.longest, least)}});
        }
    }
    return models;
}

std::optional<Picture> draw_tail(const RunResults& run, const TailMeasure& measure) {
    const ShownPatterns it = shown(run, measure.kind);
    const bool modelled = measure.end_of != nullptr and it.flows.size() <= kMostPairs;
    Picture picture;
    Lengths lengths;
    for (std::size_t i = 0; i < it.flows.size(); ++i) {
        const std::vector<PicturePoint> points = tail_of(it.flows[i]->histograms.at(measure.kind), measure.offset);
        if (not points.empty()) {
            lengths.include(points);
            const std::string name = it.flows[i]->name + (modelled ? ", measured" : "");
            picture.curves.push_back({name, i, Stroke::solid, true, {points}});
        }
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    set_axes(picture, lengths);
    if (modelled) {
        const std::vector<Curve> models = models_of(it.flows, measure, lengths, picture.y_range.low);
        picture.curves.insert(picture.curves.begin(), models.begin(), models.end());
    }
    picture.title = measure.title;
    picture.x_label = measure.x_label;
    picture.y_label = measure.y_label;
    return picture;
}

}  // namespace

std::optional<Picture> draw_loss_periods(const RunResults& run) {
    return draw_tail(run, {.kind = "loss_period",
                           .offset = 0,
                           .end_of = [](const LossTransitions& it) { return it.r(); },
                           .parameter = "r",
                           .title = "loss periods, measured and by the Gilbert model",
                           .x_label = "packets lost in a row",
                           .y_label = "share of the loss periods at least as long"});
}

std::optional<Picture> draw_loss_free_runs(const RunResults& run) {
    return draw_tail(run, {.kind = "loss_distance",
                           .offset = -1,
                           .end_of = [](const LossTransitions& it) { return it.p(); },
                           .parameter = "p",
                           .title = "runs without loss, measured and by the Gilbert model",
                           .x_label = "packets received in a row, between two losses",
                           .y_label = "share of these runs at least as long"});
}

std::optional<Picture> draw_reordering_extents(const RunResults& run) {
    return draw_tail(run, {.kind = "reordering_extent",
                           .offset = 0,
                           .title = "extent of reordering",
                           .x_label = "extent [packets]",
                           .y_label = "share of the reordered packets with it or more"});
}

std::optional<Picture> draw_n_reordering(const RunResults& run) {
    const ShownPatterns it = shown(run, "reordering_extent");
    Picture picture;
    Lengths lengths;
    for (std::size_t i = 0; i < it.flows.size(); ++i) {
        const FlowResults& flow = *it.flows[i];
        std::vector<PicturePoint> points;
        for (const NReordered& one : flow.n_reordered) {
            const double share = flow.arrived > 0 ? std::min(one.packets / flow.arrived, 1.0) : 0;
            if (share > 0) {
                points.push_back({one.n, share});
            }
        }
        if (not points.empty()) {
            lengths.include(points);
            picture.curves.push_back({flow.name, i, Stroke::solid, true, {std::move(points)}});
        }
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    set_axes(picture, lengths);
    picture.title = "n-reordering";
    picture.x_label = "n: packets right before it that were sent later";
    picture.y_label = "share of the packets that are n-reordered";
    return picture;
}

}  // namespace groma
