#include "decoder/results/series_edges.hpp"

#include <algorithm>

namespace groma {

void SeriesEdges::add(Nanos begin, const TimeSpan& packets) {
    if (begin < first_begin_) {
        first_begin_ = begin;
        after_first_ = in_first_.first;
        in_first_ = packets;
    } else if (begin == first_begin_) {
        in_first_.include(packets);
    } else {
        after_first_ = std::min(after_first_, packets.first);
    }
    if (begin > last_begin_) {
        last_begin_ = begin;
        before_last_ = in_last_.last;
        in_last_ = packets;
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
}

std::optional<double> SeriesEdges::share_in_first(const TimeSpan& interval) const {
    if (first_begin_ != interval.first or after_first_ == kNoneAfter) {
        return std::nullopt;
    }
    return to_seconds(interval.last - in_first_.last) / to_seconds(after_first_ - in_first_.last);
}

std::optional<double> SeriesEdges::share_in_last(const TimeSpan& interval) const {
    if (last_begin_ != interval.first or before_last_ == kNoneBefore) {
        return std::nullopt;
    }
    return to_seconds(in_last_.first - interval.first) / to_seconds(in_last_.first - before_last_);
}

}  // namespace groma
