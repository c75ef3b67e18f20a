#include "sender/calibration/rate_search.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/errors.hpp"

namespace groma {

namespace {

/// The geometric mean, rounded to a readable number if the bounds are far enough apart.
double between(double low, double high) {
    const double middle = std::sqrt(low * high);
    const double round = std::round(middle);
    return round > low and round < high ? round : middle;
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

}  // namespace groma
