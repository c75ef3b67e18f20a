// Detects duplicates and reordering from sequence numbers in order of arrival, with bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace groma {

enum class SequenceKind : std::uint8_t { in_order, reordered, duplicate };

/// For a tracker whose missing numbers are not wanted.
struct NoObserver {
    static constexpr bool kWatches = false;
    void lost(std::uint64_t /*first*/, std::uint64_t /*count*/) noexcept {}
};

/// Reordered as in RFC 4737: a packet whose number is smaller than the next expected one (and was not seen before).
/// Duplicates as in RFC 5560: every further copy. Remembers the last `window` sequence numbers. An older packet counts
/// as reordered, not as a duplicate, which is unknown (`beyond_window` counts them).
///
/// Packets in order need no memory. Bits are kept only from the oldest missing number within the window on; their
/// memory doubles as needed, up to window/8 bytes (for a window that is a power of two).
///
/// A packet after a jump costs at most a few steps for every 64 numbers of the window, however far the jump is.
///
/// An Observer with kWatches gets lost(first, count), ascending, for missing numbers that leave the window: one call
/// for all adjacent ones that leave at once; all other numbers below have been seen. It is NoObserver or LossPattern.
template <typename Observer>
class BasicSequenceTracker {
public:
    static constexpr std::uint64_t kLargestWindow = std::uint64_t{1} << 32;
    static constexpr std::uint64_t kUsualWindow = 65536;
    using Kind = SequenceKind;

    /// `window` is rounded up to a multiple of 64 and limited to kLargestWindow.
    explicit BasicSequenceTracker(std::uint64_t window = kUsualWindow, Observer observer = Observer());

    /// From now on an older packet than the window remembers counts as a duplicate: where somebody may repeat packets,
    /// it could be one.
    void take_old_ones_for_copies() noexcept { old_are_copies_ = true; }

    /// Packet path (except when the memory for bits doubles). Requires: seq below 2^64 - 1, which stands for "no
    /// number" in records.
    Kind add(std::uint64_t seq) {
        if (seq == next_expected_ and complete_below_ == seq) {
            complete_below_ = ++next_expected_;
            ++unique_;
            return Kind::in_order;
        }
        return add_beside(seq);
    }

    /// As add() of `count` numbers from `first` on, all in order. Requires: next_expected() <= first, and numbers as
    /// for add().
    void add_in_order(std::uint64_t first, std::uint64_t count);

    /// Reports all missing numbers below next_expected() to the observer.
    void finish();

    [[nodiscard]] std::uint64_t unique() const { return unique_; }
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
    [[nodiscard]] std::uint64_t reordered() const { return reordered_; }
    [[nodiscard]] std::uint64_t beyond_window() const { return beyond_window_; }
    [[nodiscard]] std::uint64_t next_expected() const { return next_expected_; }
    [[nodiscard]] Observer& observer() { return observer_; }
    [[nodiscard]] const Observer& observer() const { return observer_; }
    /// Memory of the bits, in bytes.
    [[nodiscard]] std::size_t memory() const { return seen_.capacity() * sizeof(std::uint64_t); }

private:
    /// A packet that does not directly follow all others, or arrives while one is missing.
    Kind add_beside(std::uint64_t seq);
    void advance_to(std::uint64_t seq);
    void leave_behind(std::uint64_t low);
    void make_room(std::uint64_t numbers);
    /// Sets the bits of the numbers from `first` to before `end`.
    void mark(std::uint64_t first, std::uint64_t end, bool seen);
    void fill(std::uint64_t first_word, std::uint64_t words, bool seen);
    [[nodiscard]] std::uint64_t next_with(bool seen, std::uint64_t first, std::uint64_t end);
    void pass_over_seen();
    [[nodiscard]] std::uint64_t& word_of(std::uint64_t seq);

    std::uint64_t window_;
    /// Ring of bits, whose size is a power of two: those of [complete_below, next_expected). Other bits are undefined.
    std::vector<std::uint64_t> seen_;
    std::uint64_t complete_below_ = 0;  ///< all numbers below it within the window have been seen
    std::uint64_t next_expected_ = 0;
    std::uint64_t unique_ = 0;
    std::uint64_t duplicates_ = 0;
    std::uint64_t reordered_ = 0;
    std::uint64_t beyond_window_ = 0;
    bool old_are_copies_ = false;
    [[no_unique_address]] Observer observer_;
};

using SequenceTracker = BasicSequenceTracker<NoObserver>;

}  // namespace groma
