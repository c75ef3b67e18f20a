// The counts of a SequenceTracker by their definitions, without its bounds on memory and time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "common/stats/sequence/sequence_tracker.hpp"

namespace groma {

struct SequenceReference {
    std::uint64_t window = SequenceTracker::kUsualWindow;
    std::set<std::uint64_t> seen{};  ///< of those that were within the window when they came
    std::uint64_t next = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t reordered = 0;
    std::uint64_t beyond_window = 0;

    SequenceKind add(std::uint64_t seq) {
        const bool beyond = seq < next and next - seq > window;
        if (not beyond and not seen.insert(seq).second) {
            ++duplicates;
            return SequenceKind::duplicate;
        }
        const SequenceKind kind = seq < next ? SequenceKind::reordered : SequenceKind::in_order;
        beyond_window += beyond ? 1 : 0;
        reordered += seq < next ? 1 : 0;
        next = std::max(next, seq + 1);
        return kind;
    }
    [[nodiscard]] std::uint64_t unique() const { return seen.size() + beyond_window; }
    [[nodiscard]] std::uint64_t missing() const { return next > unique() ? next - unique() : 0; }
};

}  // namespace groma
