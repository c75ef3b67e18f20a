#include "decoder/analysis/sequence_set.hpp"

#include <bit>

namespace groma {

namespace {

constexpr std::uint64_t bit_of(std::uint64_t seq) {
    return std::uint64_t{1} << (seq % 64);
}

}  // namespace

void SequenceSet::add(std::uint64_t seq) {
    const std::uint64_t index = seq / kPageNumbers;
    if (latest_ == nullptr or index != latest_index_) {
        if (pages_.size() >= kMostPages and not pages_.contains(index)) {
            complete_ = false;
            return;
        }
        latest_ = &pages_[index];
        latest_index_ = index;
    }
    (*latest_)[seq % kPageNumbers / 64] |= bit_of(seq);
}

std::optional<std::uint64_t> SequenceSet::count_beyond(const SequenceSet& other) const {
    if (not complete_ or not other.complete_) {
        return std::nullopt;
    }
    constexpr Page kEmpty{};
    std::uint64_t count = 0;
    for (const auto& [index, page] : pages_) {
        const auto found = other.pages_.find(index);
        const Page& there = found == other.pages_.end() ? kEmpty : found->second;
        for (std::size_t word = 0; word < page.size(); ++word) {
            count += static_cast<std::uint64_t>(std::popcount(page[word] & ~there[word]));
        }
    }
    return count;
}

}  // namespace groma
