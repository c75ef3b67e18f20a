#include "common/stats/sequence/loss_pattern.hpp"

#include <algorithm>
#include <cmath>

namespace groma {

namespace {

/// Damaged records can have any numbers.
std::int64_t held(std::uint64_t packets) {
    return static_cast<std::int64_t>(std::min(packets, std::uint64_t{1} << 62));
}

std::optional<Proportion> proportion(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) {
        return std::nullopt;
    }
    const double n = static_cast<double>(whole);
    Proportion share{.value = static_cast<double>(part) / n, .error = {}};
    if (part > 0 and part < whole) {
        share.error = std::sqrt(share.value * (1 - share.value) / n);
    }
    return share;
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
}

std::optional<Proportion> LossPatternCounts::gilbert_p() const {
    return proportion(good_to_bad, good_followed);
}

std::optional<Proportion> LossPatternCounts::gilbert_r() const {
    return proportion(bad_to_good, bad_followed);
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
    constexpr double kNormalQuantile = 1.959963985;
    if (packets == 0) {
        return std::nullopt;
    }
    double n = static_cast<double>(packets);
    const double share = static_cast<double>(lost) / n;
    const auto p = gilbert_p();
    const auto r = gilbert_r();
    const double changes = p and r ? p->value + r->value : 1;
    if (changes <= 0) {
        return std::nullopt;  // some flows lost all, and others none
    }
    n *= changes < 1 ? changes / (2 - changes) : 1;
    const double z2 = kNormalQuantile * kNormalQuantile / n;
    const double middle = (share + z2 / 2) / (1 + z2);
    const double half = std::sqrt(share * (1 - share) * z2 + z2 * z2 / 4) / (1 + z2);
    return Interval{std::max(middle - half, 0.0), std::min(middle + half, 1.0), n};
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
    return counts;
}

}  // namespace groma
