#include "common/stats/sequence/reordering.hpp"

#include <algorithm>
#include <limits>

namespace groma {

std::uint64_t ReorderingCounts::n_reordered(std::size_t n) const {
    std::uint64_t packets = 0;
    for (std::size_t largest = n; largest <= kMostN; ++largest) {
        packets += largest_n[largest];
    }
    return packets;
}

void ReorderingCounts::merge(const ReorderingCounts& other) {
    extents.merge(other.extents);
    beyond += other.beyond;
    free_runs.merge(other.free_runs);
    for (std::size_t n = 0; n <= kMostN; ++n) {
        largest_n[n] += other.largest_n[n];
    }
}

void ReorderingMeter::Ring::push(const Run& run) {
    if (runs_.size() < most_) {
        runs_.push_back(run);
        return;
    }
    forgot_ = true;
    runs_[next_] = run;
    next_ = next_ + 1 == most_ ? 0 : next_ + 1;
}

const ReorderingMeter::Run& ReorderingMeter::Ring::back(std::size_t how_far) const {
    const std::size_t place = next_ + runs_.size() - 1 - how_far;
    return runs_[place < runs_.size() ? place : place - runs_.size()];
}

void ReorderingMeter::begin_run(std::uint64_t seq, bool leads) {
    if (latest_.count > 0) {
        runs_.push(latest_);
        if (latest_.leads) {
            leads_.push(latest_);
        }
    }
    latest_ = {.first = seq, .index = arrived(), .count = 1, .leads = leads};
}

void ReorderingMeter::add_late(std::uint64_t seq) {
    add_free_run(counts_.free_runs);
    in_order_from_ = arrived() + 1;
    add_extent(seq, arrived());
    add_n(seq);
    if (not latest_.leads and seq == latest_.end()) {
        ++latest_.count;
    } else {
        begin_run(seq, false);
    }
}

// The earliest packet with a larger number was the largest so far when it arrived.
void ReorderingMeter::add_extent(std::uint64_t seq, std::uint64_t index) {
    // Leading runs ascend in both number and index: finds the last one, looking back, with a number above `seq`.
    const std::size_t all = leads_.size() + (latest_.leads ? 1 : 0);
    std::size_t low = 0;  // leading(low) and nearer ones have numbers above; leading(high) has none
    std::size_t high = all;
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (leading(middle).end() > seq + 1 ? low : high) = middle;
    }
    const Run* const run = all == 0 or leading(low).end() <= seq + 1 ? nullptr : &leading(low);
    const bool oldest = low + 1 == all;
    if (run == nullptr or (oldest and leads_.forgot() and run->first > seq)) {
        ++counts_.beyond;
        return;
    }
    const std::uint64_t into = seq < run->first ? 0 : seq + 1 - run->first;
    counts_.extents.add(static_cast<std::int64_t>(index - (run->index + into)));
}

const ReorderingMeter::Run& ReorderingMeter::leading(std::size_t how_far) const {
    if (not latest_.leads) {
        return leads_.back(how_far);
    }
    return how_far == 0 ? latest_ : leads_.back(how_far - 1);
}

void ReorderingMeter::add_n(std::uint64_t seq) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; n < ReorderingCounts::kMostN and i <= runs_.size(); ++i) {
        const Run& run = i == 0 ? latest_ : runs_.back(i - 1);
        if (run.first > seq) {
            n += run.count;
            continue;
        }
        n += run.end() > seq + 1 ? run.end() - 1 - seq : 0;
        break;
    }
    ++counts_.largest_n[static_cast<std::size_t>(std::min<std::uint64_t>(n, ReorderingCounts::kMostN))];
}

void ReorderingMeter::add_free_run(LogHistogram& runs) const {
    if (arrived() > in_order_from_) {
        runs.add(static_cast<std::int64_t>(arrived() - in_order_from_));
    }
}

ReorderingCounts ReorderingMeter::counts() const {
    ReorderingCounts counts = counts_;
    add_free_run(counts.free_runs);
    return counts;
}

std::size_t ReorderingMeter::memory() const {
    return runs_.memory() + leads_.memory();
}

}  // namespace groma
