#include "sender/engine/engine_flow.hpp"

#include <algorithm>

namespace groma {

void add(SendCounts& sum, const SendCounts& part) noexcept {
    sum.cut_short = sum.cut_short or part.cut_short;
    sum.dropped += part.dropped;
    sum.too_big += part.too_big;
    sum.refused += part.refused;
    sum.given_up += part.given_up;
    sum.missed_slots += part.missed_slots;
    sum.unsent_between += part.unsent_between;
    sum.shifted = std::max(sum.shifted, part.shifted);
    sum.unstamped += part.unstamped;
    sum.unnumbered += part.unnumbered;
    sum.held_by_kernel += part.held_by_kernel;
    sum.missed_in_queue += part.missed_in_queue;
    sum.blocked += part.blocked;
    if (part.retransmitted) {
        sum.retransmitted = sum.retransmitted.value_or(0) + *part.retransmitted;
    }
    sum.records_lost += part.records_lost;
}

}  // namespace groma
