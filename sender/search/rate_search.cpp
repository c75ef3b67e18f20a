#include "sender/search/rate_search.hpp"

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

RateSearch::RateSearch(double resolution, RateBounds bounds, unsigned confirmations)
    : resolution_(resolution), bounds_(bounds), confirmations_(confirmations) {
    check(resolution > 1 and bounds.lowest > 0 and bounds.first >= bounds.lowest and bounds.highest >= bounds.first,
          "a search has bounds and an end");
}

void RateSearch::know(double rate, bool kept) {
    if (kept) {
        if (rate > highest_kept().value_or(0)) {
            kept_.push_back(rate);
            confirmed_ = 0;
        }
        if (not_kept_ and *not_kept_ <= kept_.back()) {
            not_kept_.reset();
        }
    } else if (rate > highest_kept().value_or(0)) {
        not_kept_ = std::min(rate, not_kept_.value_or(rate));
    }
}

std::optional<double> RateSearch::open_rate() const {
    const std::optional<double> kept = highest_kept();
    if (kept and not_kept_) {
        return *not_kept_ <= *kept * resolution_ ? std::nullopt : std::optional(between(*kept, *not_kept_));
    }
    if (kept) {
        return *kept >= bounds_.highest ? std::nullopt : std::optional(std::min(2 * *kept, bounds_.highest));
    }
    if (not_kept_) {
        return *not_kept_ <= bounds_.lowest ? std::nullopt : std::optional(std::max(*not_kept_ / 2, bounds_.lowest));
    }
    return bounds_.first;
}

std::optional<double> RateSearch::next() const {
    const std::optional<double> open = open_rate();
    return open or confirmed_ >= confirmations_ ? open : highest_kept();
}

void RateSearch::tried(bool kept) {
    const std::optional<double> rate = next();
    check(rate.has_value(), "a search that is over tries nothing");
    if (not kept and not failed_once_) {
        failed_once_ = true;
        return;
    }
    failed_once_ = false;
    if (open_rate()) {
        know(*rate, kept);
    } else {
        confirm(kept);
    }
}

void RateSearch::confirm(bool kept) {
    if (kept) {
        ++confirmed_;
        return;
    }
    not_kept_ = kept_.back();
    kept_.pop_back();
    confirmed_ = 0;
}

}  // namespace groma
