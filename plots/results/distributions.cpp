#include "plots/results/distributions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace groma {

namespace {

/// The share of values below `x` (`inclusive`: or equal to it). It is 0 before the first point, and that of the last
/// point after it.
double share_below(const std::vector<CdfPoint>& cdf, double x, bool inclusive) {
    const auto value_of = [](const CdfPoint& point) { return point.value; };
    const auto behind =
        inclusive ? std::ranges::upper_bound(cdf, x, {}, value_of) : std::ranges::lower_bound(cdf, x, {}, value_of);
    if (behind == cdf.begin()) {
        return 0;
    }
    const CdfPoint& before = *(behind - 1);
    if (behind == cdf.end()) {
        return before.share;
    }
    return before.share + (behind->share - before.share) * (x - before.value) / (behind->value - before.value);
}

std::vector<double> values_of(const std::vector<MixturePart>& parts, std::size_t points) {
    std::vector<double> values;
    for (const MixturePart& part : parts) {
        for (const CdfPoint& point : *part.cdf) {
            values.push_back(point.value);
        }
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() <= points) {
        return values;
    }
    std::vector<double> chosen;
    for (std::size_t i = 0; i < points; ++i) {
        chosen.push_back(values[i * (values.size() - 1) / (points - 1)]);
    }
    return chosen;
}

}  // namespace

std::vector<HistogramBin> merged(const std::vector<const std::vector<HistogramBin>*>& histograms) {
    std::map<std::pair<double, double>, double> counts;
    for (const auto* bins : histograms) {
        for (const HistogramBin& bin : *bins) {
            counts[{bin.low, bin.high}] += bin.count;
        }
    }
    std::vector<HistogramBin> all;
    all.reserve(counts.size());
    for (const auto& [edges, count] : counts) {
        all.push_back({edges.first, edges.second, count});
    }
    return all;
}

double total_count(const std::vector<HistogramBin>& bins) {
    return std::accumulate(bins.begin(), bins.end(), 0.0,
                           [](double sum, const HistogramBin& bin) { return sum + bin.count; });
}

std::vector<CdfPoint> cdf_of(const std::vector<HistogramBin>& bins) {
    const double total = total_count(bins);
    std::vector<CdfPoint> cdf;
    double below = 0;
    for (const HistogramBin& bin : bins) {
        cdf.push_back({bin.low, below / total});
        below += bin.count;
        cdf.push_back({bin.high, below / total});
    }
    return cdf;
}

std::vector<CdfPoint> mixture(const std::vector<MixturePart>& parts, std::size_t points) {
    const double total = std::accumulate(parts.begin(), parts.end(), 0.0,
                                         [](double sum, const MixturePart& part) { return sum + part.weight; });
    std::vector<CdfPoint> cdf;
    for (const double value : values_of(parts, points)) {
        for (const bool inclusive : {false, true}) {
            double share = 0;
            for (const MixturePart& part : parts) {
                share += part.weight * share_below(*part.cdf, value, inclusive);
            }
            if (cdf.empty() or cdf.back() != CdfPoint{value, share / total}) {
                cdf.push_back({value, share / total});
            }
        }
    }
    return cdf;
}

std::vector<CdfPoint> asked_mixture(const std::vector<const FlowResults*>& flows) {
    std::vector<std::vector<CdfPoint>> asked;
    std::vector<double> weights;
    for (const FlowResults* flow : flows) {
        const auto sent = flow->histograms.find("sent_gap");
        if (sent == flow->histograms.end() or sent->second.empty()) {
            continue;
        }
        if (flow->asked_gaps.empty()) {
            return {};  // a mixture without some of the flows would not be a fair comparison
        }
        asked.push_back(from_zero(flow->asked_gaps));
        weights.push_back(total_count(sent->second));
    }
    if (asked.size() <= 1) {
        return asked.empty() ? std::vector<CdfPoint>() : asked.front();
    }
    std::vector<MixturePart> parts;
    parts.reserve(asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        parts.push_back({&asked[i], weights[i]});
    }
    return mixture(parts);
}

double share_at(const std::vector<CdfPoint>& cdf, double value) {
    return share_below(cdf, value, true);
}

std::vector<CdfPoint> from_zero(std::vector<CdfPoint> cdf) {
    if (not cdf.empty() and cdf.front().share > 0) {
        cdf.insert(cdf.begin(), CdfPoint{cdf.front().value, 0});
    }
    return cdf;
}

double value_at(const std::vector<CdfPoint>& cdf, double share) {
    const auto at = std::ranges::lower_bound(cdf, share, {}, [](const CdfPoint& point) { return point.share; });
    if (at == cdf.begin()) {
        return cdf.front().value;
    }
    if (at == cdf.end()) {
        return cdf.back().value;
    }
    const CdfPoint& before = *(at - 1);
    return before.value + (at->value - before.value) * (share - before.share) / (at->share - before.share);
}

}  // namespace groma
