#include "sender/calibration/limit_search.hpp"

#include <algorithm>

#include "sender/calibration/summary.hpp"
#include "sender/search/rate_search.hpp"

namespace groma {

namespace {

bool kept_in_sweep(const PointSummary& summary, double tolerance) {
    const auto error = summary.figure("rate_error");
    const bool whole =
        std::ranges::all_of(summary.repetitions, [](const PointResult& result) { return all_sent(result.figures); });
    return error and error->median <= tolerance and whole;
}

}  // namespace

std::optional<Limit> search_limit(const CalibrationSettings& settings, const Search& search,
                                  const std::vector<PointResult>& sweep, const Measure& measure) {
    const double lowest = settings.rates_pps.front();
    RateSearch rates(search_resolution(settings), {lowest, settings.rates_pps.back(), lowest});
    for (const PointSummary& summary : of_series(summaries(settings, sweep), search.series)) {
        rates.know(summary.rate_pps, kept_in_sweep(summary, search.tolerance));
    }
    while (const std::optional<double> rate = rates.next()) {
        const auto figures = measure({PointKind::search, search.series, *rate, rates.attempt()});
        if (not figures) {
            return std::nullopt;
        }
        rates.tried(rate_kept(*figures, search.tolerance));
    }
    return Limit{search, rates.highest_kept(), rates.lowest_not_kept()};
}

}  // namespace groma
