#include "common/stats/sequence/sequence_tracker.hpp"

#include <algorithm>
#include <bit>

#include "common/stats/sequence/loss_pattern.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kWordBits = 64;
constexpr std::uint64_t kFewestWords = 8;

std::uint64_t bit_of(std::uint64_t seq) {
    return std::uint64_t{1} << (seq % kWordBits);
}

}  // namespace

template <typename Observer>
BasicSequenceTracker<Observer>::BasicSequenceTracker(std::uint64_t window, Observer observer)
    : window_((std::clamp<std::uint64_t>(window, 1, kLargestWindow) + kWordBits - 1) / kWordBits * kWordBits),
      observer_(std::move(observer)) {}

template <typename Observer>
std::uint64_t& BasicSequenceTracker<Observer>::word_of(std::uint64_t seq) {
    return seen_[static_cast<std::size_t>(seq / kWordBits) & (seen_.size() - 1)];
}

// Keeps the bits of [complete_below, next_expected).
template <typename Observer>
void BasicSequenceTracker<Observer>::make_room(std::uint64_t numbers) {
    const std::uint64_t needed = (numbers + kWordBits - 1) / kWordBits;
    if (needed <= seen_.size()) {
        return;
    }
    const std::uint64_t most = std::bit_ceil(window_ / kWordBits);
    std::vector<std::uint64_t> larger(
        static_cast<std::size_t>(std::clamp(std::bit_ceil(needed), std::min(kFewestWords, most), most)));
    for (std::uint64_t word = complete_below_ / kWordBits; not seen_.empty() and word * kWordBits < next_expected_;
         ++word) {
        larger[static_cast<std::size_t>(word % larger.size())] = seen_[static_cast<std::size_t>(word % seen_.size())];
    }
    seen_ = std::move(larger);
}

template <typename Observer>
void BasicSequenceTracker<Observer>::mark(std::uint64_t first, std::uint64_t end, bool seen) {
    while (first < end) {
        const std::uint64_t in_word = first % kWordBits;
        const std::uint64_t count = std::min(kWordBits - in_word, end - first);
        const std::uint64_t bits = count == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        std::uint64_t& word = word_of(first);
        word = seen ? word | (bits << in_word) : word & ~(bits << in_word);
        first += count;
    }
}

// Drops numbers below `low`, missing or not.
template <typename Observer>
void BasicSequenceTracker<Observer>::leave_behind(std::uint64_t low) {
    if constexpr (Observer::kWatches) {
        const std::uint64_t end_of_bits = std::min(low, next_expected_);
        std::uint64_t at = complete_below_;
        while (at < end_of_bits) {
            const std::uint64_t in_word = at % kWordBits;
            const std::uint64_t most = std::min(kWordBits - in_word, end_of_bits - at);
            const std::uint64_t bits = word_of(at) >> in_word;
            const auto missing = std::min(static_cast<std::uint64_t>(std::countr_zero(bits)), most);
            if (missing > 0) {
                observer_.lost(at, missing);
                at += missing;
            } else {
                at += std::min(static_cast<std::uint64_t>(std::countr_one(bits)), most);
            }
        }
        if (at < low) {
            observer_.lost(at, low - at);
        }
    }
    complete_below_ = std::max(complete_below_, low);
}

template <typename Observer>
void BasicSequenceTracker<Observer>::advance_to(std::uint64_t seq) {
    if (seq + 1 > window_) {
        leave_behind(seq + 1 - window_);
    }
    make_room(seq + 1 - complete_below_);
    mark(std::max(next_expected_, complete_below_), seq + 1, false);
}

template <typename Observer>
void BasicSequenceTracker<Observer>::pass_over_seen() {
    while (complete_below_ < next_expected_) {
        const std::uint64_t in_word = complete_below_ % kWordBits;
        const auto seen = static_cast<std::uint64_t>(std::countr_one(word_of(complete_below_) >> in_word));
        complete_below_ += std::min(seen, next_expected_ - complete_below_);
        if (seen + in_word < kWordBits) {
            return;
        }
    }
}

template <typename Observer>
SequenceKind BasicSequenceTracker<Observer>::add_beside(std::uint64_t seq) {
    if (seq >= next_expected_) {
        advance_to(seq);
        word_of(seq) |= bit_of(seq);
        next_expected_ = seq + 1;
        pass_over_seen();
        ++unique_;
        return Kind::in_order;
    }
    if (next_expected_ - seq > window_) {
        ++beyond_window_;
    } else if (seq < complete_below_ or (word_of(seq) & bit_of(seq)) != 0) {
        ++duplicates_;
        return Kind::duplicate;
    } else {
        word_of(seq) |= bit_of(seq);
        pass_over_seen();
    }
    ++unique_;
    ++reordered_;
    return Kind::reordered;
}

template <typename Observer>
void BasicSequenceTracker<Observer>::add_in_order(std::uint64_t first, std::uint64_t count) {
    while (count > 0) {
        const std::uint64_t end = first + std::min(count, window_);
        if (first == next_expected_ and complete_below_ == first) {
            complete_below_ = end;
        } else {
            advance_to(end - 1);
            mark(first, end, true);
        }
        next_expected_ = end;
        pass_over_seen();
        unique_ += end - first;
        count -= end - first;
        first = end;
    }
}

template <typename Observer>
void BasicSequenceTracker<Observer>::finish() {
    leave_behind(next_expected_);
}

template class BasicSequenceTracker<NoObserver>;
template class BasicSequenceTracker<LossPattern>;

}  // namespace groma
