#include "sender/engine/reply_meter.hpp"

#include "common/time/difference.hpp"

namespace groma {

namespace {

/// Replies that come later than this make the histograms grow.
constexpr Nanos kRoom = std::chrono::minutes(2);

}  // namespace

ReplyMeter::ReplyMeter(const SentRange& sent, const SendTimes* times) : sent_(sent), times_(times) {
    result_.rtt_ns.reserve(kRoom.count());
    result_.rtt_less_residence_ns.reserve(kRoom.count());
}

std::optional<RoundTripRecord> ReplyMeter::take(const Arrival& reply) noexcept {
    RoundTripRecord record{.seq = ReceivedRecord::kNoSeq,
                           .sent_at = reply.header.sent_at.value_or(ReceivedRecord::kNoTime),
                           .returned_at = reply.received_at,
                           .reflected_at = reply.reflected_at,
                           .replied_at = reply.replied_at,
                           .size = reply.size};
    if (reply.header.seq) {
        const auto seq = sent_.find(*reply.header.seq);
        if (not seq) {
            ++result_.malformed;
            return std::nullopt;
        }
        record.seq = *seq;
    }
    ++result_.returned;
    result_.bytes += reply.size;
    if (not reply.header.seq) {
        ++result_.untimed;
        return record;
    }
    if (not reply.header.sent_at and times_ != nullptr) {
        record.sent_at = times_->find(*reply.header.seq).value_or(ReceivedRecord::kNoTime);
    }
    const bool odd = take_out_what_cannot_be(record);
    const SequenceTracker::Kind kind = tracker_.add(record.seq);
    result_.duplicates += kind == SequenceTracker::Kind::duplicate ? 1 : 0;
    result_.reordered += kind == SequenceTracker::Kind::reordered ? 1 : 0;
    if (kind != SequenceTracker::Kind::duplicate) {
        result_.odd_residence += odd ? 1 : 0;
        measure(record);
    }
    return record;
}

// Removes a send time before the first packet or in the future, and the receiver's times if their residence is negative
// or longer than the round trip.
bool ReplyMeter::take_out_what_cannot_be(RoundTripRecord& record) const noexcept {
    if (record.sent_at != ReceivedRecord::kNoTime and
        (record.sent_at < sent_.first() or record.sent_at > record.returned_at)) {
        record.sent_at = ReceivedRecord::kNoTime;
    }
    if (record.sent_at == ReceivedRecord::kNoTime or record.reflected_at == ReceivedRecord::kNoTime or
        record.replied_at == ReceivedRecord::kNoTime) {
        return false;
    }
    const Nanos residence = difference(record.replied_at, record.reflected_at);
    if (residence >= Nanos{0} and residence <= difference(record.returned_at, record.sent_at)) {
        return false;
    }
    record.reflected_at = ReceivedRecord::kNoTime;
    record.replied_at = ReceivedRecord::kNoTime;
    return true;
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
        result_.rtt_less_residence_ns.add((rtt - residence).count());
    }
}

}  // namespace groma
