#include "common/stats/fidelity/fidelity_sum.hpp"

#include <algorithm>

#include "common/time/difference.hpp"

namespace groma {

bool has_no_fit(const Fidelity& part) {
    return not part.fit and part.gap_error_ns.count() >= kFewestGaps;
}

void FidelitySum::add(const Fidelity& part) {
    sum_.packets += part.packets;
    sum_.bytes += part.bytes;
    sum_.departures += part.departures;
    some_unknown_ =
        some_unknown_ or (part.packets > 0 and ((part.scheduled.empty() and not part.greedy) or part.sent.empty()));
    sum_.greedy = sum_.greedy or part.greedy;
    sum_.scheduled.include(part.scheduled);
    sum_.sent.include(part.sent);
    sum_.lateness_ns.merge(part.lateness_ns);
    sum_.late_packets += part.late_packets;
    sum_.alone += part.alone;
    sum_.batched += part.batched;
    sum_.largest_batch = std::max(sum_.largest_batch, part.largest_batch);
    sum_.batch_sizes.merge(part.batch_sizes);
    sum_.behind = held_to_longest(held_to_longest(sum_.behind) + held_to_longest(part.behind));
    sum_.gap_error_ns.merge(part.gap_error_ns);
    sum_.gap_variation = std::max(sum_.gap_variation, part.gap_variation);  // that of a flow without one is below all
    sum_.gaps_within_1us += part.gaps_within_1us;
    sum_.gaps_within_10us += part.gaps_within_10us;
    sum_.gaps_within_100us += part.gaps_within_100us;
    some_unfitted_ = some_unfitted_ or has_no_fit(part);
    gaps_.add(part.gap_counts);
}

Fidelity FidelitySum::result() const {
    Fidelity result = sum_;
    result.fit = some_unfitted_ ? std::nullopt : gaps_.fit();
    if (some_unknown_) {
        result.scheduled = result.sent = {};
    }
    if (result.greedy) {
        result.scheduled = {};
    }
    return result;
}

}  // namespace groma
