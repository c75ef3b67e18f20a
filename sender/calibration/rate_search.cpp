#include "sender/calibration/rate_search.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/errors.hpp"
#include "sender/calibration/summary.hpp"

namespace groma {

namespace {

/// The geometric mean, rounded to a readable number if the bounds are far enough apart.
double between(double low, double high) {
    const double middle = std::sqrt(low * high);
    const double round = std::round(middle);
    return round > low and round < high ? round : middle;
}

bool kept_in_sweep(const PointSummary& summary, double tolerance) {
    const auto error = summary.figure("rate_error");
    const bool whole =
        std::ranges::all_of(summary.repetitions, [](const PointResult& result) { return all_sent(result.figures); });
    return error and error->median <= tolerance and whole;
}

}  // namespace

RateSearch::RateSearch(double resolution, double floor, double ceiling)
    : resolution_(resolution), floor_(floor), ceiling_(ceiling) {
    check(resolution > 1 and floor > 0 and ceiling >= floor, "a search has bounds and an end");
}

void RateSearch::know(double rate, bool kept) {
    if (kept) {
        kept_ = std::max(rate, kept_.value_or(rate));
        if (not_kept_ and *not_kept_ <= *kept_) {
            not_kept_.reset();
        }
    } else if (rate > kept_.value_or(0)) {
        not_kept_ = std::min(rate, not_kept_.value_or(rate));
    }
}

std::optional<double> RateSearch::next() const {
    if (kept_ and not_kept_) {
        return *not_kept_ <= *kept_ * resolution_ ? std::nullopt : std::optional(between(*kept_, *not_kept_));
    }
    if (kept_) {
        return *kept_ >= ceiling_ ? std::nullopt : std::optional(std::min(2 * *kept_, ceiling_));
    }
    if (not_kept_) {
        return *not_kept_ <= floor_ ? std::nullopt : std::optional(std::max(*not_kept_ / 2, floor_));
    }
    return floor_;
}

void RateSearch::tried(bool kept) {
    const std::optional<double> rate = next();
    check(rate.has_value(), "a search that is over tries nothing");
    if (not kept and not failed_once_) {
        failed_once_ = true;
        return;
    }
    failed_once_ = false;
    know(*rate, kept);
}

std::optional<Limit> search_limit(const CalibrationSettings& settings, const Search& search,
                                  const std::vector<PointResult>& sweep, const Measure& measure) {
    RateSearch rates(search_resolution(settings), settings.rates_pps.front(), settings.rates_pps.back());
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
