#include "sender/calibration/summary.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace groma {

namespace {

std::size_t badness(const PointResult& result) {
    constexpr std::array<std::string_view, 3> kRising{"as_asked", "within", "not_as_asked"};
    return static_cast<std::size_t>(std::ranges::find(kRising, result.verdict) - kRising.begin());
}

}  // namespace

std::optional<MedianRange> PointSummary::figure(std::string_view name) const {
    return figure([name](const PointFigures& figures) { return known(figures, name); });
}

std::optional<MedianRange> PointSummary::figure(
    const std::function<std::optional<double>(const PointFigures&)>& of) const {
    std::vector<double> values;
    for (const PointResult& result : repetitions) {
        if (const auto value = of(result.figures)) {
            values.push_back(*value);
        }
    }
    return values.empty() ? std::nullopt : std::optional(median_range_of(values));
}

const PointResult& PointSummary::worst() const {
    return *std::ranges::max_element(repetitions, {}, badness);
}

std::vector<PointSummary> summaries(const CalibrationSettings& settings, const std::vector<PointResult>& results) {
    std::vector<PointSummary> all;
    for (const Series& series : series_of(settings)) {
        for (const double rate : settings.rates_pps) {
            PointSummary summary{series, rate, {}};
            std::ranges::copy_if(results, std::back_inserter(summary.repetitions), [&](const PointResult& result) {
                return result.point.kind == PointKind::sweep and result.point.series == series and
                       result.point.rate_pps == rate;
            });
            if (not summary.repetitions.empty()) {
                all.push_back(std::move(summary));
            }
        }
    }
    return all;
}

std::vector<PointSummary> of_series(const std::vector<PointSummary>& all, const Series& series) {
    std::vector<PointSummary> some;
    std::ranges::copy_if(all, std::back_inserter(some),
                         [&](const PointSummary& summary) { return summary.series == series; });
    return some;
}

}  // namespace groma
