// Tells duplicates and reordering from the sequence numbers of packets in order of arrival, with bounded memory.
#pragma once

#include <cstdint>
#include <vector>

namespace groma {

/// Reordered as in RFC 4737: a packet whose number is smaller than the next expected one (and that was not seen
/// before). Duplicates as in RFC 5560: every further copy. Remembers the last `window` sequence numbers; an older
/// packet counts as reordered and, because nobody can say, not as a duplicate (`beyond_window` says how many there
/// were).
class SequenceTracker {
public:
    static constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << 32;

    /// `window` is rounded up to a multiple of 64 and held to kLargestWindow. Allocates window/8 bytes, on first use.
    explicit SequenceTracker(std::uint64_t window = 65536);

    enum class Kind : std::uint8_t { in_order, reordered, duplicate };

    /// Packet path (after the first call). Requires: seq below 2^64 - 1, which stands for "no number" in records.
    Kind add(std::uint64_t seq);

    [[nodiscard]] std::uint64_t unique() const { return unique_; }
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] std::uint64_t reordered() const { return reordered_; }
    [[nodiscard]] std::uint64_t beyond_window() const { return beyond_window_; }
    [[nodiscard]] std::uint64_t next_expected() const { return next_expected_; }

private:
    [[nodiscard]] std::uint64_t& word_of(std::uint64_t seq);
    void advance_to(std::uint64_t seq);  ///< forgets the numbers that the window leaves behind

    std::uint64_t window_;
    std::vector<std::uint64_t> seen_;  ///< ring of bits for [next_expected - window, next_expected)
    std::uint64_t next_expected_ = 0;
    std::uint64_t unique_ = 0;
    std::uint64_t duplicates_ = 0;
    std::uint64_t reordered_ = 0;
    std::uint64_t beyond_window_ = 0;
};

}  // namespace groma
