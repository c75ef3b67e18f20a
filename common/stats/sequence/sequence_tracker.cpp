#include "common/stats/sequence/sequence_tracker.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/stats/sequence/loss_pattern.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kWordBits = 64;
constexpr std::uint64_t kFewestWords = 8;
constexpr int kAllSeen = 0xff;  // a byte

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
void BasicSequenceTracker<Observer>::fill(std::uint64_t first_word, std::uint64_t words, bool seen) {
    while (words > 0) {
        const std::uint64_t place = first_word & (seen_.size() - 1);
        const std::uint64_t side_by_side = std::min(words, seen_.size() - place);
        std::memset(&seen_[place], seen ? kAllSeen : 0, side_by_side * sizeof(std::uint64_t));
        first_word += side_by_side;
        words -= side_by_side;
    }
}

template <typename Observer>
void BasicSequenceTracker<Observer>::mark(std::uint64_t first, std::uint64_t end, bool seen) {
    while (first < end) {
        const std::uint64_t in_word = first % kWordBits;
        const std::uint64_t count = std::min(kWordBits - in_word, end - first);
        if (count == kWordBits) {
            const std::uint64_t words = (end - first) / kWordBits;
            fill(first / kWordBits, words, seen);
            first += words * kWordBits;
            continue;
        }
        const std::uint64_t bits = (std::uint64_t{1} << count) - 1;
        std::uint64_t& word = word_of(first);
        word = seen ? word | (bits << in_word) : word & ~(bits << in_word);
        first += count;
    }
}

// The first number from `first` on whose bit is `seen`; `end` if there is none.
template <typename Observer>
std::uint64_t BasicSequenceTracker<Observer>::next_with(bool seen, std::uint64_t first, std::uint64_t end) {
    if (first >= end) {
        return end;
    }
    const std::uint64_t others = seen ? 0 : ~std::uint64_t{0};
    const std::uint64_t last_word = (end - 1) / kWordBits;
    std::uint64_t word = first / kWordBits;
    std::uint64_t bits = (word_of(first) ^ others) >> (first % kWordBits) << (first % kWordBits);
    while (bits == 0 and word < last_word) {
        ++word;
        bits = seen_[static_cast<std::size_t>(word & (seen_.size() - 1))] ^ others;
    }
    return bits == 0 ? end : std::min(word * kWordBits + static_cast<std::uint64_t>(std::countr_zero(bits)), end);
}

// Drops numbers below `low`, missing or not.
template <typename Observer>
void BasicSequenceTracker<Observer>::leave_behind(std::uint64_t low) {
    if constexpr (Observer::kWatches) {
        const std::uint64_t end_of_bits = std::min(low, next_expected_);
        std::uint64_t at = complete_below_;
        while (at < low) {
            const std::uint64_t seen = next_with(true, at, std::max(at, end_of_bits));
            const std::uint64_t end_of_run = seen < end_of_bits ? seen : low;
            if (end_of_run > at) {
                observer_.lost(at, end_of_run - at);
            }
            at = end_of_run < low ? next_with(false, end_of_run, end_of_bits) : low;
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
        if (old_are_copies_) {
            ++duplicates_;
            return Kind::duplicate;
        }
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
