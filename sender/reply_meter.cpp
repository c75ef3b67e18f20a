#include "sender/reply_meter.hpp"

#include "common/time/difference.hpp"

namespace groma {

namespace {

/// Replies that come later than this make the histograms grow.
constexpr Nanos kRoom = std::chrono::minutes(2);

}  // namespace

ReplyMeter::ReplyMeter(const SendTimes* times) : times_(times) {
    result_.rtt_ns.reserve(kRoom.count());
    result_.rtt_less_residence_ns.reserve(kRoom.count());
}

RoundTripRecord ReplyMeter::take(const Arrival& reply) noexcept {
    RoundTripRecord record{.seq = ReceivedRecord::kNoSeq,
                           .sent_at = reply.header.sent_at.value_or(ReceivedRecord::kNoTime),
                           .returned_at = reply.received_at,
                           .reflected_at = reply.reflected_at,
                           .replied_at = reply.replied_at,
                           .size = reply.size};
    ++result_.returned;
    result_.bytes += reply.size;
    if (not reply.header.seq) {
        ++result_.untimed;
        return record;
    }
    record.seq = unwrapper_.unwrap(*reply.header.seq);
    if (not reply.header.sent_at and times_ != nullptr) {
        record.sent_at = times_->find(*reply.header.seq).value_or(ReceivedRecord::kNoTime);
    }
    const SequenceTracker::Kind kind = tracker_.add(record.seq);
    result_.duplicates += kind == SequenceTracker::Kind::duplicate ? 1 : 0;
    result_.reordered += kind == SequenceTracker::Kind::reordered ? 1 : 0;
    if (kind != SequenceTracker::Kind::duplicate) {
        measure(record);
    }
    return record;
}

void ReplyMeter::measure(const RoundTripRecord& record) noexcept {
    if (record.sent_at == ReceivedRecord::kNoTime) {
        ++result_.untimed;
        return;
    }
    const Nanos rtt = difference(record.returned_at, record.sent_at);
    result_.rtt_ns.add(rtt.count());
    if (record.reflected_at != ReceivedRecord::kNoTime and record.replied_at != ReceivedRecord::kNoTime) {
        const Nanos residence = difference(record.replied_at, record.reflected_at);
        result_.rtt_less_residence_ns.add(held_to_longest(rtt - residence).count());
    }
}

}  // namespace groma
