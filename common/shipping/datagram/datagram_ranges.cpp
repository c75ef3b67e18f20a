#include "common/shipping/datagram/datagram_ranges.hpp"

#include <algorithm>

namespace groma {

bool NumberRanges::add(NumberRange range) {
    if (range.begin >= range.end) {
        return false;
    }
    // Merges the ranges that touch the new one.
    const auto first = std::ranges::lower_bound(ranges_, range.begin, {}, &NumberRange::end);
    auto last = first;
    NumberRange merged = range;
    bool is_new = true;
    for (; last != ranges_.end() and last->begin <= range.end; ++last) {
        is_new = is_new and not(last->begin <= range.begin and range.end <= last->end);
        merged = {std::min(merged.begin, last->begin), std::max(merged.end, last->end)};
    }
    if (first == last) {
        ranges_.insert(first, merged);
        return true;
    }
    *first = merged;
    ranges_.erase(first + 1, last);
    return is_new;
}

void NumberRanges::remove(NumberRange range) {
    if (range.begin >= range.end) {
        return;
    }
    auto at = std::ranges::upper_bound(ranges_, range.begin, {}, &NumberRange::end);
    if (at != ranges_.end() and at->begin < range.begin and range.end < at->end) {
        const NumberRange upper{range.end, at->end};
        at->end = range.begin;
        ranges_.insert(at + 1, upper);
        return;
    }
    if (at != ranges_.end() and at->begin < range.begin) {
        at->end = range.begin;
        ++at;
    }
    auto last = at;
    while (last != ranges_.end() and last->end <= range.end) {
        ++last;
    }
    if (last != ranges_.end()) {
        last->begin = std::max(last->begin, range.end);
    }
    ranges_.erase(at, last);
}

std::optional<NumberRange> NumberRanges::around(std::uint64_t number) const {
    const auto at = std::ranges::upper_bound(ranges_, number, {}, &NumberRange::end);
    if (at == ranges_.end() or at->begin > number) {
        return std::nullopt;
    }
    return *at;
}

bool NumberRanges::contains(std::uint64_t number) const {
    return around(number).has_value();
}

}  // namespace groma
