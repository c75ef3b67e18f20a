// Untrusted sequence numbers: for any order, a tracker counts by its definitions, reports every lost number once, and
// keeps to its memory limit.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "common/base/errors.hpp"
#include "common/stats/sequence/loss_pattern.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/sequence_reference.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint64_t>::max() - 1;

std::uint64_t ahead(std::uint64_t next, std::uint64_t steps) {
    return steps < kLargest - std::min(next, kLargest) ? next + steps : kLargest;
}

/// Near the next expected number, near the window's end, or anywhere.
std::uint64_t number_of(Choices& choices, const SequenceReference& reference) {
    const std::uint64_t next = reference.next;
    const std::uint64_t near = choices.next();
    switch (choices.below(8)) {
        case 0:
            return std::min(choices.number<std::uint64_t>(), kLargest);
        case 1:
            return ahead(next, near << choices.below(40));
        case 2:
        case 3:
            return ahead(next, near % 8);
        case 4:
            return next - std::min(next, reference.window + 4 - near % 8);
        default:
            return next - std::min(next, near + 1);
    }
}

void check_counts(const BasicSequenceTracker<LossPattern>& tracker, const SequenceReference& reference) {
    check(tracker.unique() == reference.unique() and tracker.duplicates() == reference.duplicates and
              tracker.reordered() == reference.reordered and tracker.beyond_window() == reference.beyond_window and
              tracker.next_expected() == reference.next,
          "a count is another than that of its definition");
    check(tracker.memory() <= std::bit_ceil(reference.window) / 8, "a tracker takes more memory than it may");
}

void play(Choices& choices) {
    constexpr std::array<std::uint64_t, 6> kWindows = {64, 128, 192, 1024, 65536, 1U << 20U};
    SequenceReference reference{.window = kWindows.at(choices.below(kWindows.size()))};
    BasicSequenceTracker<LossPattern> tracker(reference.window - choices.below(64));
    while (choices.more()) {
        const std::uint64_t seq = number_of(choices, reference);
        const std::uint64_t count = std::min(choices.next() * std::uint64_t{4}, kLargest - seq + 1);
        if (choices.one_in(4) and seq >= reference.next) {
            tracker.add_in_order(seq, count);
            for (std::uint64_t i = 0; i < count; ++i) {
                (void)reference.add(seq + i);
            }
        } else {
            check(tracker.add(seq) == reference.add(seq), "a packet is taken for another kind");
        }
        check_counts(tracker, reference);
    }
    tracker.finish();
    const LossPatternCounts lost = tracker.observer().counts(reference.next);
    check(lost.lost == reference.next - reference.seen.size() and lost.packets == reference.next,
          "a number is lost that came, or is not told");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kMostBytes = 2000;
    Choices choices(std::span(data, std::min(size, kMostBytes)));
    play(choices);
    return 0;
}
