#include "common/wire/column_view.hpp"

#include <algorithm>

namespace groma {

SentColumns SentTable::front_of(std::span<const SentRecord> records) noexcept {
    const std::size_t count = std::min(records.size(), kMost);
    for (std::size_t i = 0; i < count; ++i) {
        const SentRecord& record = records[i];
        seq_[i] = record.seq;
        sent_at_[i] = ns_since_epoch(record.sent_at);
        lateness_[i] = record.lateness.count();
        size_[i] = record.size;
        batch_[i] = record.batch;
    }
    return {std::span(seq_).first(count), std::span(sent_at_).first(count), std::span(lateness_).first(count),
            std::span(size_).first(count), std::span(batch_).first(count)};
}

ReceivedColumns ReceivedTable::front_of(std::span<const ReceivedRecord> records) noexcept {
    const std::size_t count = std::min(records.size(), kMost);
    for (std::size_t i = 0; i < count; ++i) {
        const ReceivedRecord& record = records[i];
        seq_[i] = record.seq;
        sent_at_[i] = ns_since_epoch(record.sent_at);
        received_at_[i] = ns_since_epoch(record.received_at);
        size_[i] = record.size;
        ttl_[i] = record.ttl;
        ds_byte_[i] = record.ds_byte;
    }
    return {std::span(seq_).first(count),  std::span(sent_at_).first(count), std::span(received_at_).first(count),
            std::span(size_).first(count), std::span(ttl_).first(count),     std::span(ds_byte_).first(count)};
}

}  // namespace groma
