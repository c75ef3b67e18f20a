#include "common/stats/sequence/loss_pattern.hpp"

#include <algorithm>
#include <cmath>

#include "common/stats/histograms/confidence.hpp"

namespace groma {

namespace {

/// Damaged records can have any numbers.
std::int64_t held(std::uint64_t packets) {
    return static_cast<std::int64_t>(std::min(packets, std::uint64_t{1} << 62));
}

std::optional<Proportion> proportion(std::uint64_t part, std::uint64_t whole, bool with_error) {
    if (whole == 0) {
        return std::nullopt;
    }
    const double n = static_cast<double>(whole);
    Proportion share{.value = static_cast<double>(part) / n, .error = {}};
    if (with_error and part > 0 and part < whole) {
        share.error = std::sqrt(share.value * (1 - share.value) / n);
    }
    return share;
}

/// How many of the values are this one, which has a bin of its own.
std::uint64_t equal_to(std::int64_t small, const LogHistogram& values) {
    const auto bins = values.bins();
    const auto bin = std::ranges::find(bins, small, &LogHistogram::Bin::low);
    return bin == bins.end() ? 0 : bin->count;
}

/// Pearson's X2 of two shares, of one degree of freedom. Empty where it would not have that distribution.
std::optional<double> apart(const LossPatternCounts::Ends& ends) {
    constexpr double kLeast = 1;
    const auto first = static_cast<double>(ends.first);
    const auto later = static_cast<double>(ends.later);
    const double all = first + later;
    const auto ended = static_cast<double>(ends.first_ended + ends.later_ended);
    if (all == 0 or std::min(first, later) * std::min(ended, all - ended) < kLeast * all) {
        return std::nullopt;
    }
    const double share = ended / all;
    const double difference =
        static_cast<double>(ends.first_ended) / first - static_cast<double>(ends.later_ended) / later;
    return difference * difference / (share * (1 - share) * (1 / first + 1 / later));
}

}  // namespace

void LossPatternCounts::merge(const LossPatternCounts& other) {
    packets += other.packets;
    lost += other.lost;
    periods.merge(other.periods);
    distances.merge(other.distances);
    good_followed += other.good_followed;
    good_to_bad += other.good_to_bad;
    bad_followed += other.bad_followed;
    bad_to_good += other.bad_to_good;
    good.merge(other.good);
    bad.merge(other.bad);
}

void LossPatternCounts::Ends::merge(const Ends& other) {
    first += other.first;
    first_ended += other.first_ended;
    later += other.later;
    later_ended += other.later_ended;
}

// A run that no packet followed is among the packets without a successor.
std::uint64_t LossPatternCounts::good_periods() const {
    return good_to_bad + (packets - lost - good_followed);
}

bool LossPatternCounts::has_few_periods() const {
    return periods.count() < kFewestPeriods or good_periods() < kFewestPeriods;
}

std::optional<Proportion> LossPatternCounts::gilbert_p() const {
    return proportion(good_to_bad, good_followed, not has_few_periods());
}

std::optional<Proportion> LossPatternCounts::gilbert_r() const {
    return proportion(bad_to_good, bad_followed, not has_few_periods());
}

std::optional<double> LossPatternCounts::gilbert_chance() const {
    const auto of_bad = apart(bad);
    const auto of_good = apart(good);
    if (of_bad and of_good) {
        return std::exp(-(*of_bad + *of_good) / 2);  // of two degrees of freedom
    }
    const auto either = of_bad ? of_bad : of_good;
    return either ? std::optional(std::erfc(std::sqrt(*either / 2))) : std::nullopt;
}

std::optional<double> LossPatternCounts::noticeable() const {
    if (lost == 0) {
        return std::nullopt;
    }
    std::uint64_t near = 0;
    for (const LogHistogram::Bin& bin : distances.bins()) {
        near += bin.high <= kNoticeable ? bin.count : 0;  // these values have bins of their own
    }
    return static_cast<double>(near) / static_cast<double>(lost);
}

// The correlation of neighbours is 1 - p - r, and (1 - correlation) / (1 + correlation) of the packets would be worth
// as much if they were independent.
std::optional<LossPatternCounts::Interval> LossPatternCounts::interval() const {
    const auto p = gilbert_p();
    const auto r = gilbert_r();
    if (has_few_periods() or not p or not r or p->value + r->value <= 0) {
        return std::nullopt;
    }
    double n = static_cast<double>(packets);
    const double share = static_cast<double>(lost) / n;
    const double changes = p->value + r->value;
    n *= changes < 1 ? changes / (2 - changes) : 1;
    const ShareInterval ends = share_interval(share, n);
    return Interval{ends.low, ends.high, n};
}

LossPattern::LossPattern(std::optional<std::uint64_t> first, const SequenceHoles* holes)
    : holes_(holes), begins_with_received_(not first), first_(first.value_or(0)), origin_(0) {
    origin_ = first_ - holes_.before(first_);
}

std::uint64_t LossPattern::position(std::uint64_t seq) {
    return seq - holes_.before(seq) - origin_;
}

void LossPattern::lost(std::uint64_t first, std::uint64_t count) {
    const std::uint64_t end = first + count;
    first = std::max(first, first_);
    if (end <= first) {
        return;
    }
    const std::uint64_t from = position(first);
    const std::uint64_t to = position(end);
    if (begins_with_received_ and from == 0) {
        first_ = end;
        origin_ += to;
        return;
    }
    if (from == to) {
        return;
    }
    if (from != open_end_ or open_first_ == open_end_) {
        close_period(closed_);
        if (open_end_ > open_first_) {
            last_lost_ = open_end_ - 1;
        }
        open_first_ = from;
    }
    open_end_ = to;
    if (closed_.periods.count() == 0) {
        first_lost_ = open_first_;
        first_end_ = to;
    }
}

void LossPattern::close_period(LossPatternCounts& counts) const {
    const std::uint64_t length = open_end_ - open_first_;
    if (length == 0) {
        return;
    }
    counts.lost += length;
    counts.periods.add(held(length));
    counts.distances.add(1, length - 1);
    if (last_lost_) {
        counts.distances.add(held(open_first_ - *last_lost_));
    }
    counts.good_to_bad += open_first_ > 0 ? 1 : 0;
}

LossPatternCounts LossPattern::counts(std::uint64_t end) const {
    LossPatternCounts counts = closed_;
    close_period(counts);
    HolesPassed holes = holes_;
    counts.packets = end > first_ ? end - holes.before(end) - origin_ : 0;
    const bool ends_lost = open_end_ > open_first_ and open_end_ == counts.packets;
    const std::uint64_t good = counts.packets - std::min(counts.packets, counts.lost);
    counts.good_followed = good - (good > 0 and not ends_lost ? 1 : 0);
    counts.bad_followed = counts.lost - (ends_lost ? 1 : 0);
    counts.bad_to_good = counts.periods.count() - (ends_lost ? 1 : 0);
    count_ends(counts);
    return counts;
}

void LossPattern::count_ends(LossPatternCounts& counts) const {
    const std::uint64_t periods = counts.periods.count();
    if (periods == 0) {
        counts.good.later = counts.good_followed - std::min<std::uint64_t>(counts.good_followed, 1);
        return;
    }
    const auto one_if = [](bool condition) -> std::uint64_t { return condition ? 1 : 0; };
    // Nobody knows how long the state of the first packet had lasted.
    const bool starts_bad = first_lost_ == 0;
    const bool first_ends_bad = starts_bad and first_end_ == 1 and counts.packets > 1;
    const bool last_alone = open_end_ == counts.packets and open_end_ - open_first_ == 1 and open_first_ > 0;
    LossPatternCounts::Ends& bad = counts.bad;
    bad.first = periods - one_if(starts_bad) - one_if(last_alone);
    bad.first_ended = equal_to(1, counts.periods) - one_if(starts_bad and first_end_ == 1) - one_if(last_alone);
    bad.later = counts.bad_followed - bad.first - one_if(starts_bad and counts.packets > 1);
    bad.later_ended = counts.bad_to_good - bad.first_ended - one_if(first_ends_bad);

    LossPatternCounts::Ends& good = counts.good;
    const std::uint64_t between = counts.distances.count() - equal_to(1, counts.distances);  // runs between losses
    good.first = between + one_if(counts.packets > open_end_ + 1);
    good.first_ended = equal_to(2, counts.distances);
    good.later = counts.good_followed - good.first - one_if(not starts_bad);
    good.later_ended = counts.good_to_bad - good.first_ended - one_if(first_lost_ == 1);
}

}  // namespace groma
