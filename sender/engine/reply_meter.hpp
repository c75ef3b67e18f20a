// Turns the replies of one flow into records, and counts and measures them. Pure.
#pragma once

#include <optional>

#include "common/net/channel/inbox.hpp"
#include "common/stats/sequence/sequence_tracker.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/records.hpp"
#include "sender/engine/round_trip.hpp"
#include "sender/engine/send_times.hpp"
#include "sender/engine/sent_range.hpp"

namespace groma {

/// Thread: one at a time.
class ReplyMeter {
public:
    /// `sent`: the packets sent so far. `times`: send times of packets too small to carry theirs; null: none is too
    /// small, or none has a number. Both outlive the meter.
    ReplyMeter(const SentRange& sent, const SendTimes* times);

    /// The flow is sealed: what somebody repeats is not measured, however old it is.
    void guard_against_replays() noexcept { tracker_.take_old_ones_for_copies(); }

    /// `reply`: untrusted. Returns: empty for a reply to a packet never sent, which counts as malformed.
    [[nodiscard]] std::optional<RoundTripRecord> take(const Arrival& reply) noexcept;

    /// The result of all replies so far.
    [[nodiscard]] const RoundTrip& result() const noexcept { return result_; }

private:
    /// Removes impossible times. Returns: whether it removed the receiver's own times.
    [[nodiscard]] bool take_out_what_cannot_be(RoundTripRecord& record) const noexcept;
    void measure(const RoundTripRecord& record) noexcept;

    const SentRange& sent_;
    const SendTimes* times_;
    SequenceTracker tracker_;
    RoundTrip result_;
};

}  // namespace groma
