// Tells duplicates and reordering from the sequence numbers of packets in order of arrival, with bounded memory.
#pragma once

#include <cstdint>
#include <vector>

namespace groma {

/// Reordered as in RFC 4737: a packet whose number is smaller than the next expected one (and that was not seen
/// before). Duplicates as in RFC 5560: every further copy. Remembers the last `window` sequence numbers; an older
/// packet counts as reordered and, because nobody can say, not as a duplicate (`beyond_window` says how many there
/// were).
///
/// Packets that come one after the other cost no memory: bits are kept only from the oldest number within the window
/// that is missing, and the room for them doubles as they become more, up to window/8 bytes.
class SequenceTracker {
public:
    static constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << 32;

    /// `window` is rounded up to a multiple of 64 and held to kLargestWindow.
    explicit SequenceTracker(std::uint64_t window = 65536);

    enum class Kind : std::uint8_t { in_order, reordered, duplicate };

    /// Packet path (but for the few times that the room for bits doubles). Requires: seq below 2^64 - 1, which stands
    /// for "no number" in records.
    Kind add(std::uint64_t seq) {
        if (seq == next_expected_ and complete_below_ == seq) {
            complete_below_ = ++next_expected_;
            ++unique_;
            return Kind::in_order;
        }
        return add_beside(seq);
    }

    [[nodiscard]] std::uint64_t unique() const { return unique_; }
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] std::uint64_t reordered() const { return reordered_; }
    [[nodiscard]] std::uint64_t beyond_window() const { return beyond_window_; }
    [[nodiscard]] std::uint64_t next_expected() const { return next_expected_; }
    /// That the bits take, in bytes.
    [[nodiscard]] std::size_t memory() const { return seen_.capacity() * sizeof(std::uint64_t); }

private:
    /// One that does not come right behind all the others, or comes while one is missing.
    Kind add_beside(std::uint64_t seq);
    void advance_to(std::uint64_t seq);
    void make_room(std::uint64_t first_word, std::uint64_t last_word);
    void pass_over_seen();
    [[nodiscard]] std::uint64_t& word_of(std::uint64_t seq);

    std::uint64_t window_;
    /// Ring of words of bits: those of [complete_below, next_expected).
    std::vector<std::uint64_t> seen_;
    std::uint64_t complete_below_ = 0;  ///< of the numbers below, those within the window have all been seen
    std::uint64_t next_expected_ = 0;
    std::uint64_t unique_ = 0;
    std::uint64_t duplicates_ = 0;
    std::uint64_t reordered_ = 0;
    std::uint64_t beyond_window_ = 0;
};

}  // namespace groma
