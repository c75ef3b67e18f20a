// Turns the replies of one flow into records, and counts and measures them. Pure.
#pragma once

#include "common/net/inbox.hpp"
#include "common/stats/sequence_tracker.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/records.hpp"
#include "sender/round_trip.hpp"
#include "sender/send_times.hpp"

namespace groma {

/// Thread: one at a time.
class ReplyMeter {
public:
    /// `times` are those of packets that may be too small to carry theirs; null: no packet is, or none has a number.
    /// They outlive the meter.
    explicit ReplyMeter(const SendTimes* times);

    /// `reply` is as it came in: the other end is not to be trusted with any of its numbers.
    [[nodiscard]] RoundTripRecord take(const Arrival& reply) noexcept;

    /// Of all taken so far.
    [[nodiscard]] const RoundTrip& result() const noexcept { return result_; }

private:
    void measure(const RoundTripRecord& record) noexcept;

    const SendTimes* times_;
    SequenceUnwrapper unwrapper_;
    SequenceTracker tracker_;
    RoundTrip result_;
};

}  // namespace groma
