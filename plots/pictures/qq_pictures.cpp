#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/base/counted.hpp"
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

/// Flows of which the same was asked.
using Model = std::vector<const FlowResults*>;

double gaps_of(const Model& model) {
    return std::accumulate(model.begin(), model.end(), 0.0, [](double gaps, const FlowResults* flow) {
        return gaps + total_count(flow->histograms.at("sent_gap"));
    });
}

/// Those with quantiles; with most gaps first.
std::vector<Model> models_of(const RunResults& run) {
    std::map<std::string, Model> by_text;
    for (const FlowResults& flow : run.flows) {
        if (is_continuous(flow.asked_gaps) and flow.histograms.contains("sent_gap")) {
            by_text[flow.model].push_back(&flow);
        }
    }
    std::vector<Model> models;
    models.reserve(by_text.size());
    for (auto& [text, flows] : by_text) {
        models.push_back(std::move(flows));
    }
    std::ranges::stable_sort(models, std::greater(), gaps_of);
    return models;
}

/// The gaps of each model, as asked and as sent.
std::vector<NamedCdf> curves_of(std::span<const Model> models) {
    std::vector<NamedCdf> curves;
    for (std::size_t i = 0; i < models.size(); ++i) {
        std::vector<const std::vector<HistogramBin>*> histograms;
        for (const FlowResults* flow : models[i]) {
            histograms.push_back(&flow->histograms.at("sent_gap"));
        }
        const std::string name = fmt::format("{}, {}", models[i].front()->model, counted(models[i].size(), "flow"));
        const std::vector<HistogramBin> bins = merged(histograms);
        curves.push_back({name, i, true, asked_mixture(models[i]), 0});
        curves.push_back({name, i, false, cdf_of(bins), total_count(bins)});
    }
    return curves;
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
    picture.title = std::string(measure.what) + ", quantiles sent against asked";
    if (run.one == CurveOf::flow and run.flows.size() > kMostPairs) {
        const std::vector<Model> models = models_of(run);
        const std::size_t shown = std::min(models.size(), kMostDotted);
        picture.curves = dots_of(curves_of(std::span(models).first(shown)));
        picture.title += shown < models.size()
                             ? fmt::format(", {} of {} models, those with most gaps", shown, models.size())
                             : ", by model";
    } else {
        picture.curves = dots_of(distribution_curves(run, measure));
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.title += off_periods_note(run, measure, true);
    set_axes(picture);
    return picture;
}

}  // namespace groma
