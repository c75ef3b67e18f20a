#include "decoder/extension/packet_rows.hpp"

#include <algorithm>
#include <utility>

#include "common/time/difference.hpp"

namespace groma {

namespace {

std::optional<std::int64_t> time_or_none(WallTime time) {
    return time == ReceivedRecord::kNoTime ? std::nullopt : std::optional(ns_since_epoch(time));
}

std::optional<std::int64_t> seq_or_none(std::uint64_t seq) {
    return seq == ReceivedRecord::kNoSeq ? std::nullopt : std::optional(static_cast<std::int64_t>(seq));
}

std::int64_t moment(const SentRecord& record) {
    return ns_since_epoch(record.sent_at);
}
std::int64_t moment(const ReceivedRecord& record) {
    return ns_since_epoch(record.received_at);
}
std::int64_t moment(const RoundTripRecord& record) {
    return ns_since_epoch(record.returned_at);
}
std::int64_t moment(const TransmitRecord& record) {
    return ns_since_epoch(record.transmitted_at);
}

template <typename Record>
BlockExtent extent_of(const std::vector<Record>& records) {
    BlockExtent extent{.known = true};
    std::swap(extent.at.lowest, extent.at.highest);
    std::swap(extent.seq.lowest, extent.seq.highest);
    for (const Record& record : records) {
        const std::int64_t at = moment(record);
        extent.at = {std::min(extent.at.lowest, at), std::max(extent.at.highest, at)};
        if (const auto seq = seq_or_none(record.seq)) {
            extent.seq = {std::min(extent.seq.lowest, *seq), std::max(extent.seq.highest, *seq)};
        }
    }
    return extent;
}

template <typename Record>
bool wanted(const Record& record, const PacketQuery& query) {
    if (not query.at.holds(moment(record))) {
        return false;
    }
    const auto seq = seq_or_none(record.seq);
    return not query.seq.bounded() or (seq and query.seq.holds(*seq));
}

}  // namespace

void PacketRows::start(std::shared_ptr<PacketFile> file, std::shared_ptr<const ClockState> clock,
                       const PacketQuery& query) {
    if (file != file_) {
        loaded_.reset();
    }
    file_ = std::move(file);
    clock_ = clock != nullptr ? std::move(clock) : std::make_shared<const ClockState>();
    query_ = query;
    blocks_ = file_->candidates(query);
    block_ = 0;
    in_block_ = false;
    at_end_ = false;
    next();
}

void PacketRows::next() {
    while (true) {
        if (in_block_) {
            if (std::visit([this](const auto& records) { return find_row(records); }, records_)) {
                return;
            }
            in_block_ = false;
        }
        if (block_ == blocks_.size()) {
            at_end_ = true;
            return;
        }
        record_ = 0;
        in_block_ = load(blocks_[block_++]);
    }
}

bool PacketRows::load(std::uint32_t block) {
    if (loaded_ == block) {
        return true;
    }
    loaded_.reset();
    switch (file_->log().blocks()[block].type) {
        case BlockType::sent:
            return load_records<SentRecord>(block);
        case BlockType::received:
            return load_records<ReceivedRecord>(block);
        case BlockType::round_trip:
            return load_records<RoundTripRecord>(block);
        default:
            return load_records<TransmitRecord>(block);
    }
}

template <typename Record>
bool PacketRows::load_records(std::uint32_t block) {
    if (not std::holds_alternative<std::vector<Record>>(records_)) {
        records_.emplace<std::vector<Record>>();
    }
    auto& records = std::get<std::vector<Record>>(records_);
    ++blocks_read_;
    if (not file_->log().read(file_->log().blocks()[block], records)) {
        file_->learn(block, {.known = true, .readable = false});
        return false;
    }
    loaded_ = block;
    if (not file_->extent(block).known) {
        file_->learn(block, extent_of(records));
    }
    return true;
}

template <typename Record>
bool PacketRows::find_row(const std::vector<Record>& records) {
    while (record_ < records.size()) {
        const Record& record = records[record_++];
        if (wanted(record, query_)) {
            const RecordBlock& block = file_->log().blocks()[*loaded_];
            row_ = {.id = static_cast<std::int64_t>(*loaded_) * kMaxBlockRecords + static_cast<std::int64_t>(record_),
                    .kind = block.type,
                    .flow = block.flow,
                    .at = moment(record),
                    .seq = seq_or_none(record.seq)};
            fill(record);
            return true;
        }
    }
    return false;
}

void PacketRows::fill(const SentRecord& record) {
    row_.sent_at = row_.at;
    row_.size = record.size;
    row_.lateness = record.lateness.count();
    row_.batch = record.batch;
}

void PacketRows::fill(const ReceivedRecord& record) {
    row_.sent_at = time_or_none(record.sent_at);
    row_.size = record.size;
    if (row_.sent_at) {
        if (const auto delay = clock_->delay(record.received_at, record.sent_at)) {
            row_.delay = delay->count();
        }
    }
    if (record.ttl != 0) {
        row_.ttl = record.ttl;
        row_.ds_byte = record.ds_byte;
    }
}

void PacketRows::fill(const RoundTripRecord& record) {
    row_.sent_at = time_or_none(record.sent_at);
    row_.size = record.size;
    row_.reflected_at = time_or_none(record.reflected_at);
    row_.replied_at = time_or_none(record.replied_at);
    if (row_.sent_at) {
        row_.rtt = difference(record.returned_at, record.sent_at).count();
    }
}

void PacketRows::fill(const TransmitRecord& /*record*/) {}

}  // namespace groma
