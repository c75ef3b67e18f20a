#include "decoder/results/series_edges.hpp"

#include <algorithm>

#include "decoder/results/series_interval.hpp"

namespace groma {

void SeriesEdges::add(Nanos begin, const TimeSpan& packets) {
    if (begin < first_begin_) {
        first_begin_ = begin;
        after_first_ = in_first_.first;
        in_first_ = packets;
        first_known_ = true;
    } else if (begin == first_begin_) {
        in_first_.include(packets);
    } else {
        after_first_ = std::min(after_first_, packets.first);
    }
    if (begin > last_begin_) {
        last_begin_ = begin;
        before_last_ = in_last_.last;
        in_last_ = packets;
        last_known_ = true;
    } else if (begin == last_begin_) {
        in_last_.include(packets);
    } else {
        before_last_ = std::max(before_last_, packets.last);
    }
}

void SeriesEdges::merge(const SeriesEdges& other) {
    if (other.first_begin_ == kNoneAfter) {
        return;
    }
    add(other.first_begin_, other.in_first_);
    add(other.last_begin_, other.in_last_);
    after_first_ = std::min(after_first_, other.after_first_);
    before_last_ = std::max(before_last_, other.before_last_);
    first_known_ = first_known_ and (first_begin_ != other.first_begin_ or other.first_known_);
    last_known_ = last_known_ and (last_begin_ != other.last_begin_ or other.last_known_);
}

void SeriesEdges::lengthen(Nanos interval) {
    if (first_begin_ == kNoneAfter) {
        return;
    }
    const Nanos first_begin = interval * interval_of(first_begin_, interval);
    const Nanos last_begin = interval * interval_of(last_begin_, interval);
    if (first_begin == last_begin) {
        TimeSpan all = in_first_;
        all.include(in_last_);
        *this = {};
        add(first_begin, all);
        return;
    }
    first_begin_ = first_begin;
    last_begin_ = last_begin;
    first_known_ = first_known_ and after_first_ >= first_begin + interval;
    last_known_ = last_known_ and before_last_ < last_begin;
}

std::optional<double> SeriesEdges::share_in_first(const TimeSpan& interval) const {
    if (first_begin_ != interval.first or after_first_ == kNoneAfter or not first_known_) {
        return std::nullopt;
    }
    return to_seconds(interval.last - in_first_.last) / to_seconds(after_first_ - in_first_.last);
}

std::optional<double> SeriesEdges::share_in_last(const TimeSpan& interval) const {
    if (last_begin_ != interval.first or before_last_ == kNoneBefore or not last_known_) {
        return std::nullopt;
    }
    return to_seconds(in_last_.first - interval.first) / to_seconds(in_last_.first - before_last_);
}

}  // namespace groma
