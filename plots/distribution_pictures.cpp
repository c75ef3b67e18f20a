#include "plots/distribution_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "plots/distributions.hpp"
#include "plots/log_axis.hpp"
#include "plots/quantity.hpp"
#include "plots/series_pictures.hpp"

namespace groma {

namespace {

// Asked and sent are two curves a flow.
constexpr std::size_t kMostPairs = 5;
constexpr double kLogSpan = 50;
// A logarithmic axis begins where this share of the packets is; times are whole nanoseconds.
constexpr double kLogStartShare = 0.001;
constexpr double kSmallestNs = 1;
// Half the width of the narrowest axis, as a share of the values: histograms know them to 1/128.
constexpr double kFinestSpan = 0.03;

/// A curve before its unit is chosen.
struct NamedCdf {
    std::string name;
    std::size_t look;
    bool asked;
    std::vector<CdfPoint> points;
};

const std::vector<HistogramBin>* histogram_of(const FlowResults& flow, const char* kind) {
    const auto found = flow.histograms.find(kind);
    return found == flow.histograms.end() or found->second.empty() ? nullptr : &found->second;
}

/// A distribution that begins with a step: the step has to be seen.
std::vector<CdfPoint> from_zero(std::vector<CdfPoint> cdf) {
    if (not cdf.empty() and cdf.front().share > 0) {
        cdf.insert(cdf.begin(), CdfPoint{cdf.front().value, 0});
    }
    return cdf;
}

std::vector<NamedCdf> one_by_one(const RunResults& run, const DistributionMeasure& measure) {
    std::vector<NamedCdf> all;
    for (std::size_t i = 0; i < run.flows.size(); ++i) {
        const FlowResults& flow = run.flows[i];
        const auto* bins = histogram_of(flow, measure.kind);
        if (bins == nullptr) {
            continue;
        }
        if (measure.against_asked and not flow.asked_gaps.empty()) {
            all.push_back({flow.name + ", asked", i, true, from_zero(flow.asked_gaps)});
        }
        all.push_back({measure.against_asked ? flow.name + ", sent" : flow.name, i, false, cdf_of(*bins)});
    }
    return all;
}

/// All packets of all flows as one distribution; what was asked is mixed in the same proportions.
std::vector<NamedCdf> all_together(const RunResults& run, const DistributionMeasure& measure) {
    std::vector<const std::vector<HistogramBin>*> histograms;
    std::vector<std::vector<CdfPoint>> asked;
    std::vector<double> weights;
    for (const FlowResults& flow : run.flows) {
        if (const auto* bins = histogram_of(flow, measure.kind)) {
            histograms.push_back(bins);
            if (not flow.asked_gaps.empty()) {
                asked.push_back(from_zero(flow.asked_gaps));
                weights.push_back(total_count(*bins));
            }
        }
    }
    if (histograms.empty()) {
        return {};
    }
    const std::string flows = std::to_string(histograms.size()) + " flows together";
    std::vector<NamedCdf> all;
    // A mixture without some of the flows would be no fair comparison.
    if (measure.against_asked and asked.size() == histograms.size()) {
        std::vector<MixturePart> parts;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            parts.push_back({&asked[i], weights[i]});
        }
        all.push_back({flows + ", asked", 0, true, mixture(parts)});
    }
    all.push_back({measure.against_asked ? flows + ", sent" : flows, 0, false, cdf_of(merged(histograms))});
    return all;
}

struct ValueAxis {
    bool logarithmic;
    AxisUnit unit;
    AxisRange range;
};

/// For spans that a linear axis shows best.
AxisRange linear_range(double low, double high) {
    const double middle = (low + high) / 2;
    if (high - low < kFinestSpan * std::abs(middle)) {
        const double room = kFinestSpan * std::abs(middle);
        return {middle - room, middle + room};
    }
    return roomy_range(low, high);
}

/// What all curves of a picture hold, in nanoseconds.
struct ValueExtent {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();
    double positive = std::numeric_limits<double>::max();  ///< the smallest value above zero
    double start = std::numeric_limits<double>::max();     ///< where kLogStartShare is reached first
};

ValueExtent extent_of(const std::vector<NamedCdf>& cdfs) {
    ValueExtent extent;
    for (const NamedCdf& cdf : cdfs) {
        extent.low = std::min(extent.low, cdf.points.front().value);
        extent.high = std::max(extent.high, cdf.points.back().value);
        extent.start = std::min(extent.start, value_at(cdf.points, kLogStartShare));
        for (const CdfPoint& point : cdf.points) {
            extent.positive = point.value >= kSmallestNs ? std::min(extent.positive, point.value) : extent.positive;
        }
    }
    return extent;
}

ValueAxis axis_for(const std::vector<NamedCdf>& cdfs) {
    const ValueExtent extent = extent_of(cdfs);
    if (extent.low >= 0 and extent.high > kLogSpan * std::max(extent.low, kSmallestNs)) {
        return {true, {1, ""}, {std::max(extent.start, extent.positive / 2), extent.high * 1.1}};
    }
    const AxisUnit unit = unit_for(Quantity::nanoseconds, std::max(std::abs(extent.low), std::abs(extent.high)));
    return {false, unit, linear_range(extent.low * unit.factor, extent.high * unit.factor)};
}

Curve curve_of(const NamedCdf& cdf, const ValueAxis& axis) {
    Curve curve{cdf.name, cdf.look, cdf.asked ? Stroke::wide : Stroke::solid, not cdf.asked, {{}}};
    for (const CdfPoint& point : cdf.points) {
        const double value = axis.logarithmic ? std::max(point.value, axis.range.low) : point.value;
        curve.pieces.front().push_back({value * axis.unit.factor, std::clamp(point.share, 0.0, 1.0)});
    }
    return curve;
}

}  // namespace

const std::vector<DistributionMeasure>& distribution_measures() {
    static const std::vector<DistributionMeasure> kMeasures = {
        {"delay-cdf", "one-way delay", "delay", false, "the receiver's log"},
        {"gap-cdf", "inter-departure time", "sent_gap", true, "the sender's log"},
        {"lateness-cdf", "lateness of departures", "lateness", false, "the sender's log"},
        {"rtt-cdf", "round-trip time", "rtt", false, nullptr},
    };
    return kMeasures;
}

std::optional<Picture> draw_distribution(const RunResults& run, const DistributionMeasure& measure) {
    const std::size_t most = measure.against_asked ? kMostPairs : kMostCurves;
    const std::vector<NamedCdf> cdfs = run.flows.size() > most ? all_together(run, measure) : one_by_one(run, measure);
    if (cdfs.empty()) {
        return std::nullopt;
    }
    const ValueAxis axis = axis_for(cdfs);
    Picture picture;
    picture.stem = measure.stem;
    picture.title = std::string(measure.what) + (measure.against_asked ? ", asked and sent" : "");
    picture.x_label = axis_label(measure.what, axis.unit);
    picture.y_label = "share of packets not above";
    picture.log_x = axis.logarithmic;
    if (axis.logarithmic) {
        picture.x_ticks = logarithmic_ticks(axis.range, tick_label);
    }
    picture.x_range = axis.range;
    picture.y_range = {0, 1.02};
    for (const NamedCdf& cdf : cdfs) {
        picture.curves.push_back(curve_of(cdf, axis));
    }
    return picture;
}

}  // namespace groma
