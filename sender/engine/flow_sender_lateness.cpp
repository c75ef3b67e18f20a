// What a flow does with departures that could not leave on time. On the packet path.
#include <algorithm>

#include "sender/engine/flow_sender.hpp"

namespace groma {

namespace {

/// The most departures that one turn skips: drawing them takes some hundred microseconds.
constexpr std::size_t kMostMissedInTurn = 4096;

}  // namespace

// A slot lasts from a departure to the next later one: a departure is missed when a later one is due as well.
bool FlowSender::leave_out_missed(MonoTime now) noexcept {
    std::size_t same_slot = 1;  // departures at the instant of the first
    for (std::size_t missed = 0; missed < kMostMissedInTurn;) {
        const Departure* const first = ahead_.peek(0);
        const Departure* const next = same_slot < ahead_.room() ? ahead_.peek(same_slot) : nullptr;
        if (first == nullptr or next == nullptr or due_at(*next) > now) {
            return true;
        }
        if (next->offset == first->offset) {
            ++same_slot;
            continue;
        }
        ahead_.drop(same_slot);
        counts_.missed_slots += same_slot;
        missed += same_slot;
        same_slot = 1;
    }
    return false;
}

// A shifted flow sends one departure, and those at the same instant, before it shifts the others.
Nanos FlowSender::last_offset_to_send(MonoTime now) noexcept {
    const Nanos due = now + lead_.most() - start_ - counts_.shifted;
    const Departure* const first = ahead_.peek(0);
    return lateness_ == LatenessPolicy::shift and first != nullptr ? std::min(due, first->offset) : due;
}

void FlowSender::note_lateness(MonoTime sent_mono, const Departure& first) noexcept {
    if (packets_.load(std::memory_order_relaxed) == 0) {
        unsent_before_first_ = counts_.missed_slots + counts_.unsent();
    }
    counts_.unsent_between = counts_.missed_slots + counts_.unsent() - unsent_before_first_;
    if (lateness_ == LatenessPolicy::shift) {
        counts_.shifted += std::max(sent_mono - due_at(first), Nanos{0});
    }
}

}  // namespace groma
