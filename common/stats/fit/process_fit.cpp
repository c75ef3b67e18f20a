#include "common/stats/fit/process_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/model/distributions/quantile.hpp"
#include "common/model/distributions/reference.hpp"

namespace groma {

namespace {

constexpr std::size_t kBins = 100;

std::vector<double> probabilities(double n) {
    constexpr int kPlain = 200;
    std::vector<double> all;
    all.reserve(kPlain + 5);
    for (const double rare : {1e-5, 1e-4, 1e-3}) {
        if (n * rare >= 1) {
            all.push_back(rare);
        }
    }
    for (int i = 1; i < kPlain; ++i) {
        all.push_back(static_cast<double>(i) / kPlain);
    }
    for (const double rare : {1e-3, 1e-4, 1e-5}) {
        if (n * rare >= 1) {
            all.push_back(1 - rare);
        }
    }
    return all;
}

/// P(X < edge), with draws below 0 raised to 0.
double below(const Distribution& model, double edge) {
    return edge <= 0 ? 0 : cdf(model, edge);
}

}  // namespace

std::vector<QuantilePoint> quantile_points(const Sample& sample, const Distribution& model) {
    std::vector<QuantilePoint> points;
    const auto all = probabilities(static_cast<double>(sample.total));
    points.reserve(all.size());
    std::size_t value = 0;
    std::uint64_t so_far = sample.counts.front();
    for (const double probability : all) {
        const double wanted = probability * static_cast<double>(sample.total);
        while (static_cast<double>(so_far) < wanted and value + 1 < sample.values.size()) {
            so_far += sample.counts[++value];
        }
        const double expected =
            probability < 0.5 ? quantile(model, probability) : upper_quantile(model, 1 - probability);
        points.push_back({probability, sample.values[value], std::max(expected, 0.0)});
    }
    return points;
}

std::vector<DensityBin> density_bins(const Sample& sample, const Distribution& model, std::size_t bins) {
    constexpr double kMost = 0.995;
    const double half = sample.resolution / 2;
    const double start = sample.values.front() - half;
    const double end = std::max(sample.quantile(kMost), sample.values.front()) + half;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    // Beyond 2^53 a step of the clock is less than that between neighbouring doubles.
    const double width = std::max(
        std::max(std::ceil((end - start) / sample.resolution / static_cast<double>(bins)), 1.0) * sample.resolution,
        std::nextafter(end, kInfinite) - end);
    const double beyond = std::max(sample.values.back() + half, std::nextafter(sample.values.back(), kInfinite));
    std::vector<DensityBin> all;
    const double n = static_cast<double>(sample.total);
    std::size_t value = 0;
    for (bool last = false; not last;) {
        const double low = start + static_cast<double>(all.size()) * width;
        const double high = start + static_cast<double>(all.size() + 1) * width;
        last = high >= end;
        DensityBin bin{low, last ? std::max(high, beyond) : high};
        for (; value < sample.values.size() and sample.values[value] < bin.high; ++value) {
            bin.count += sample.counts[value];
        }
        bin.expected = n * (below(model, bin.high) - below(model, bin.low));
        all.push_back(bin);
    }
    return all;
}

ProcessFit ProcessMeter::fit(ProcessKind kind, double constant_within) const {
    ProcessFit fit;
    fit.values = chosen_.seen();
    if (chosen_.values().empty()) {
        return fit;
    }
    const bool gaps = kind == ProcessKind::gaps;
    fit.mean = dependence_.mean();
    fit.deviation = dependence_.deviation();
    fit.sample = make_sample(chosen_.values(), gaps ? clock_resolution(chosen_.values()) : 1);
    const FitRules rules{.rounding = gaps ? Rounding::twice : Rounding::once,
                         .constant_within = constant_within,
                         .counts = not gaps,
                         .mean = fit.mean_beyond_sample()};
    fit.families = fit_families(fit.sample, rules);
    if (not fit.families.empty()) {
        fit.quantiles = quantile_points(fit.sample, fit.families.front().distribution);
        fit.densities = density_bins(fit.sample, fit.families.front().distribution, kBins);
    }
    fit.autocorrelation = dependence_.values();
    fit.band = dependence_.band();
    return fit;
}

}  // namespace groma
