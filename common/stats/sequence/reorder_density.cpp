#include "common/stats/sequence/reorder_density.hpp"

#include <algorithm>
#include <limits>

namespace groma {

std::uint64_t ReorderDensityCounts::packets() const {
    std::uint64_t sum = 0;
    for (const auto& [displacement, packets] : displacements) {
        sum += packets;
    }
    return sum;
}

void ReorderDensityCounts::merge(const ReorderDensityCounts& other) {
    for (const auto& [displacement, packets] : other.displacements) {
        displacements[displacement] += packets;
    }
    beyond += other.beyond;
}

void ReorderDensity::add_each(std::uint64_t first, std::uint64_t count) {
    index_ = index_.value_or(first);
    for (std::uint64_t i = 0; i < count; ++i) {
        waiting_.push_back(first + i);
        place(false);
    }
}

void ReorderDensity::place(bool all_arrived) {
    while (not waiting_.empty() and place_next(all_arrived)) {
    }
}

bool ReorderDensity::waits(std::uint64_t number) {
    const auto found = std::find(waiting_.begin() + static_cast<std::ptrdiff_t>(searched_), waiting_.end(), number);
    searched_ = static_cast<std::size_t>(found - waiting_.begin());
    return found != waiting_.end();
}

// There is such a number: while some that wait are late, as many are early.
void ReorderDensity::skip_lost() {
    std::uint64_t next = early_.empty() ? std::numeric_limits<std::uint64_t>::max() : *early_.begin();
    for (const std::uint64_t number : waiting_) {
        next = number > *index_ ? std::min(next, number) : next;
    }
    move_to(next);
}

void ReorderDensity::move_to(std::uint64_t index) {
    index_ = index;
    searched_ = 0;
}

void ReorderDensity::drop_first() {
    waiting_.pop_front();
    searched_ -= searched_ > 0 ? 1 : 0;
    ++counts_.beyond;
}

bool ReorderDensity::place_next(bool all_arrived) {
    const std::uint64_t number = waiting_.front();
    const std::uint64_t index = *index_;
    if (number < index and (late_.erase(number) == 0 or index - number > kFarthest)) {
        drop_first();
        return true;
    }
    if (not early_.contains(index) and not waits(index)) {
        if (number < index) {
            late_.insert(number);
        }
        if (waiting_.size() <= kFarthest and not all_arrived) {
            return false;  // it may still come
        }
        skip_lost();
        return true;
    }
    if (number > index and number - index > kFarthest) {
        drop_first();
        return true;
    }
    ++counts_.displacements[static_cast<std::int64_t>(index - number)];
    waiting_.pop_front();
    if (number > index) {
        early_.insert(number);
    }
    if (early_.erase(index) == 0 and number != index) {
        late_.insert(index);
    }
    move_to(index + 1);
    return true;
}

ReorderDensityCounts ReorderDensity::counts() const {
    ReorderDensity all = *this;
    all.place(true);
    if (in_place_ > 0) {
        all.counts_.displacements[0] += in_place_;
    }
    return all.counts_;
}

}  // namespace groma
