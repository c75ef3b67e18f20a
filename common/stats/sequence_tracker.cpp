#include "common/stats/sequence_tracker.hpp"

#include <algorithm>
#include <bit>

namespace groma {

namespace {

constexpr std::uint64_t kWordBits = 64;
constexpr std::uint64_t kFewestWords = 8;

std::uint64_t bit_of(std::uint64_t seq) {
    return std::uint64_t{1} << (seq % kWordBits);
}

}  // namespace

SequenceTracker::SequenceTracker(std::uint64_t window)
    : window_((std::clamp<std::uint64_t>(window, 1, kLargestWindow) + kWordBits - 1) / kWordBits * kWordBits) {}

std::uint64_t& SequenceTracker::word_of(std::uint64_t seq) {
    return seen_[static_cast<std::size_t>(seq / kWordBits % seen_.size())];
}

// The words of these numbers get places of their own; those that hold bits already keep them.
void SequenceTracker::make_room(std::uint64_t first_word, std::uint64_t last_word) {
    const std::uint64_t needed = last_word - first_word + 1;
    if (needed <= seen_.size()) {
        return;
    }
    const std::uint64_t most = window_ / kWordBits + 1;  // a window that begins within a word ends within one more
    std::vector<std::uint64_t> larger(
        static_cast<std::size_t>(std::clamp(std::bit_ceil(needed), std::min(kFewestWords, most), most)));
    for (std::uint64_t word = first_word; not seen_.empty() and word * kWordBits < next_expected_; ++word) {
        larger[static_cast<std::size_t>(word % larger.size())] = seen_[static_cast<std::size_t>(word % seen_.size())];
    }
    seen_ = std::move(larger);
}

// Numbers that the window leaves behind are forgotten, missing or not.
void SequenceTracker::advance_to(std::uint64_t seq) {
    const bool any_bits = complete_below_ < next_expected_;
    const std::uint64_t behind_bits = any_bits ? (next_expected_ - 1) / kWordBits + 1 : 0;
    if (seq + 1 > window_) {
        complete_below_ = std::max(complete_below_, seq + 1 - window_);
    }
    const std::uint64_t first_word = complete_below_ / kWordBits;
    const std::uint64_t last_word = seq / kWordBits;
    make_room(first_word, last_word);
    for (std::uint64_t word = std::max(first_word, behind_bits); word <= last_word; ++word) {
        seen_[static_cast<std::size_t>(word % seen_.size())] = 0;
    }
}

void SequenceTracker::pass_over_seen() {
    while (complete_below_ < next_expected_) {
        const auto in_word = static_cast<int>(complete_below_ % kWordBits);
        const int seen = std::countr_one(word_of(complete_below_) >> static_cast<unsigned>(in_word));
        complete_below_ += static_cast<std::uint64_t>(seen);
        if (seen + in_word < static_cast<int>(kWordBits)) {
            return;
        }
    }
}

SequenceTracker::Kind SequenceTracker::add_beside(std::uint64_t seq) {
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

}  // namespace groma
