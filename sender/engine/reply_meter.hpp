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
    /// `sent`: what was sent so far. `times` are those of packets that may be too small to carry theirs; null: no
    /// packet is, or none has a number. They outlive the meter.
    ReplyMeter(const SentRange& sent, const SendTimes* times);

    /// `reply` is as it came in: the other end is not to be trusted with any of its numbers. Returns: nothing for one
    /// to a packet that was never sent, which is counted as malformed.
    [[nodiscard]] std::optional<RoundTripRecord> take(const Arrival& reply) noexcept;

    /// Of all taken so far.
    [[nodiscard]] const RoundTrip& result() const noexcept { return result_; }

private:
    /// Returns: whether the receiver's own times were taken out.
    [[nodiscard]] bool take_out_what_cannot_be(RoundTripRecord& record) const noexcept;
    void measure(const RoundTripRecord& record) noexcept;

    const SentRange& sent_;
    const SendTimes* times_;
    SequenceTracker tracker_;
    RoundTrip result_;
};

}  // namespace groma
