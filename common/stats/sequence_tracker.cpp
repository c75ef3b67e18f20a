#include "common/stats/sequence_tracker.hpp"

#include <algorithm>

namespace groma {

namespace {

constexpr std::uint64_t kWordBits = 64;

std::uint64_t bit_of(std::uint64_t seq) {
    return std::uint64_t{1} << (seq % kWordBits);
}

}  // namespace

SequenceTracker::SequenceTracker(std::uint64_t window)
    : window_((std::clamp<std::uint64_t>(window, 1, kLargestWindow) + kWordBits - 1) / kWordBits * kWordBits) {}

std::uint64_t& SequenceTracker::word_of(std::uint64_t seq) {
    return seen_[static_cast<std::size_t>(seq % window_ / kWordBits)];
}

void SequenceTracker::advance_to(std::uint64_t seq) {
    if (seq - next_expected_ >= window_) {
        std::fill(seen_.begin(), seen_.end(), 0);
        return;
    }
    std::uint64_t next = next_expected_;
    while (next <= seq) {
        const std::uint64_t in_word = std::min(kWordBits - next % kWordBits, seq - next + 1);
        const std::uint64_t mask = in_word == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << in_word) - 1;
        word_of(next) &= ~(mask << (next % kWordBits));
        next += in_word;
    }
}

SequenceTracker::Kind SequenceTracker::add(std::uint64_t seq) {
    if (seen_.empty()) {
        seen_.resize(static_cast<std::size_t>(window_ / kWordBits));
    }
    if (seq >= next_expected_) {
        advance_to(seq);
        word_of(seq) |= bit_of(seq);
        next_expected_ = seq + 1;
        ++unique_;
        return Kind::in_order;
    }
    if (next_expected_ - seq > window_) {
        ++beyond_window_;
    } else if ((word_of(seq) & bit_of(seq)) != 0) {
        ++duplicates_;
        return Kind::duplicate;
    } else {
        word_of(seq) |= bit_of(seq);
    }
    ++unique_;
    ++reordered_;
    return Kind::reordered;
}

}  // namespace groma
