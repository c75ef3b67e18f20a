#include "plots/pictures/distribution_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/base/counted.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/results/distributions.hpp"
#include "plots/results/over_time.hpp"

namespace groma {

namespace {

// A logarithmic axis begins where this share of the packets is; times are whole nanoseconds.
constexpr double kLogStartShare = 0.001;
constexpr double kSmallestNs = 1;
// Half the width of the narrowest axis, as a share of the values: histograms resolve them to 1/128.
constexpr double kFinestSpan = 0.03;
constexpr std::size_t kMostNameBytes = 40;  // in a title

const std::vector<HistogramBin>* histogram_of(const FlowResults& flow, const char* kind) {
    const auto found = flow.histograms.find(kind);
    return found == flow.histograms.end() or found->second.empty() ? nullptr : &found->second;
}

/// ", lambda squared 0.012", as a Greek letter and an exponent.
std::string lambda2_text(const std::optional<double>& lambda2) {
    return lambda2 ? fmt::format(", \u03bb\u00b2 {:.2g}", *lambda2) : std::string();
}

std::vector<NamedCdf> one_by_one(const RunResults& run, const DistributionMeasure& measure, bool with_asked) {
    std::vector<NamedCdf> all;
    for (std::size_t i = 0; i < run.flows.size(); ++i) {
        const FlowResults& flow = run.flows[i];
        const auto* bins = histogram_of(flow, measure.kind);
        if (bins == nullptr) {
            continue;
        }
        if (with_asked and not flow.asked_gaps.empty()) {
            all.push_back({flow.name + ", asked", i, true, from_zero(flow.asked_gaps), 0});
        }
        const std::string name = measure.against_asked ? flow.name + ", sent" + lambda2_text(flow.lambda2) : flow.name;
        all.push_back({name, i, false, cdf_of(*bins), total_count(*bins)});
    }
    return all;
}

std::vector<const FlowResults*> flows_together(const RunResults& run, const DistributionMeasure& measure) {
    std::vector<const FlowResults*> flows;
    for (const FlowResults& flow : run.flows) {
        if (histogram_of(flow, measure.kind) != nullptr) {
            flows.push_back(&flow);
        }
    }
    if (measure.against_asked and not std::ranges::all_of(flows, &FlowResults::on_off)) {
        std::erase_if(flows, [](const FlowResults* flow) { return flow->on_off; });
    }
    return flows;
}

/// All packets of these flows as one distribution; what was asked is mixed in the same proportions.
std::vector<NamedCdf> all_together(const RunResults& run, const DistributionMeasure& measure) {
    const std::vector<const FlowResults*> flows = flows_together(run, measure);
    if (flows.empty()) {
        return {};
    }
    const bool one = flows.size() == 1;
    const std::string name = one ? flows.front()->name : counted(flows.size(), noun(run)) + " together";
    std::vector<NamedCdf> all;
    if (measure.against_asked) {
        std::vector<CdfPoint> asked = asked_mixture(flows);
        if (not asked.empty()) {
            all.push_back({name + ", asked", 0, true, std::move(asked), 0});
        }
    }
    const std::vector<HistogramBin> bins = merged(histograms_together(run, measure));
    all.push_back(
        {measure.against_asked ? name + ", sent" + lambda2_text(one ? flows.front()->lambda2 : run.lambda2) : name, 0,
         false, cdf_of(bins), total_count(bins)});
    return all;
}

bool are_drawn_one_by_one(const RunResults& run, const DistributionMeasure& measure) {
    return run.flows.size() <= (measure.against_asked and run.one == CurveOf::flow ? kMostPairs : kMostCurves);
}

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
    /// Where kLogStartShare of the packets above 0 are; some way before it if some are at 0.
    double start = std::numeric_limits<double>::max();
};

ValueExtent extent_of(const std::vector<NamedCdf>& cdfs) {
    ValueExtent extent;
    bool has_zeros = false;
    for (const NamedCdf& cdf : cdfs) {
        extent.low = std::min(extent.low, cdf.points.front().value);
        extent.high = std::max(extent.high, cdf.points.back().value);
        const double at_zero = share_at(cdf.points, 0);
        has_zeros = has_zeros or at_zero > 0;
        extent.start = std::min(extent.start, value_at(cdf.points, std::min(at_zero + kLogStartShare, 1.0)));
        for (const CdfPoint& point : cdf.points) {
            extent.positive = point.value >= kSmallestNs ? std::min(extent.positive, point.value) : extent.positive;
        }
    }
    extent.start /= has_zeros ? 2 : 1;
    return extent;
}

}  // namespace

std::vector<NamedCdf> distribution_curves(const RunResults& run, const DistributionMeasure& measure) {
    return are_drawn_one_by_one(run, measure)
               ? one_by_one(run, measure, measure.against_asked and run.flows.size() <= kMostPairs)
               : all_together(run, measure);
}

std::vector<const std::vector<HistogramBin>*> histograms_together(const RunResults& run,
                                                                  const DistributionMeasure& measure) {
    std::vector<const std::vector<HistogramBin>*> histograms;
    for (const FlowResults* flow : flows_together(run, measure)) {
        histograms.push_back(histogram_of(*flow, measure.kind));
    }
    return histograms;
}

std::string off_periods_note(const RunResults& run, const DistributionMeasure& measure, bool left_out) {
    std::string names;
    std::size_t count = 0;
    for (const FlowResults& flow : run.flows) {
        if (measure.gaps and flow.on_off and histogram_of(flow, measure.kind) != nullptr) {
            names += (count++ == 0 ? "" : ", ") + flow.name;
        }
    }
    if (count == 0) {
        return {};
    }
    return (left_out ? ", without those with OFF periods: " : ", OFF periods in the gaps of ") +
           (names.size() <= kMostNameBytes ? names : counted(count, noun(run)));
}

std::string distribution_title(const RunResults& run, const DistributionMeasure& measure,
                               const std::vector<NamedCdf>& cdfs, const std::string& view) {
    const bool asked = std::ranges::any_of(cdfs, &NamedCdf::asked);
    return std::string(measure.what) + (asked ? ", asked and sent" : "") + view +
           off_periods_note(run, measure, asked and not are_drawn_one_by_one(run, measure));
}

ValueAxis axis_for(const std::vector<NamedCdf>& cdfs) {
    const ValueExtent extent = extent_of(cdfs);
    if (extent.low >= 0 and extent.high > kLogSpan * std::max(extent.low, kSmallestNs)) {
        return {true, {1, ""}, {std::max(extent.start, extent.positive / 2), extent.high * 1.1}};
    }
    const AxisUnit unit = unit_for(Quantity::nanoseconds, std::max(std::abs(extent.low), std::abs(extent.high)));
    return {false, unit, linear_range(extent.low * unit.factor, extent.high * unit.factor)};
}

void set_value_axis(Picture& picture, const ValueAxis& axis, const std::string& what) {
    picture.x_label = axis_label(what, axis.unit);
    picture.log_x = axis.logarithmic;
    if (axis.logarithmic) {
        picture.x_ticks = logarithmic_ticks(axis.range, tick_label);
    }
    picture.x_range = axis.range;
}

}  // namespace groma
