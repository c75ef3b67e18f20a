#include "common/wire/record_columns.hpp"

#include <algorithm>
#include <limits>

#include "common/base/errors.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/optional_column.hpp"

namespace groma {

namespace {

constexpr unsigned kSentAtShift = kPresenceWidth;
constexpr std::uint64_t kLargestSize = std::numeric_limits<std::uint32_t>::max();

bool has_seq(const ReceivedRecord& record) noexcept {
    return record.seq != ReceivedRecord::kNoSeq;
}

bool has_sent_at(const ReceivedRecord& record) noexcept {
    return record.sent_at != ReceivedRecord::kNoTime;
}

bool has_arrival_header(const ReceivedRecord& record) noexcept {
    return record.ttl != 0 or record.ds_byte != 0;
}

}  // namespace

// Or-ing all values tells whether one of them is too large, without a branch for each.
void RecordColumns::require_largest(ByteReader& in, const Column& values, std::uint64_t largest) noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values) {
        all |= value;
    }
    if (all > largest) {
        in.fail();
    }
}

void RecordColumns::require_block_size(std::size_t records) {
    check(records > 0 and records <= kMaxBlockRecords, "a block holds 1 to 4096 records");
}

std::uint8_t RecordColumns::pack(std::span<const SentRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    pack_values(records, scratch_, out, [](const SentRecord& r) { return r.seq; });
    // The stamp minus the lateness is when the packet was due: nearly regular, where the stamp is as noisy as both.
    pack_values(records, scratch_, out, [](const SentRecord& r) {
        return to_word(r.sent_at) - static_cast<std::uint64_t>(r.lateness.count());
    });
    pack_values(records, scratch_, out,
                [](const SentRecord& r) { return static_cast<std::uint64_t>(r.lateness.count()); });
    pack_values(records, scratch_, out, [](const SentRecord& r) { return std::uint64_t{r.size}; });
    pack_values(records, scratch_, out, [](const SentRecord& r) { return std::uint64_t{r.batch}; });
    return kBlockVersion;
}

std::uint8_t RecordColumns::pack(std::span<const ReceivedRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    const Presence seqs = presence_of(records, has_seq);
    const Presence stamps = presence_of(records, has_sent_at);
    ByteWriter(out).u8(
        static_cast<std::uint8_t>(static_cast<unsigned>(seqs) | (static_cast<unsigned>(stamps) << kSentAtShift)));
    pack_bitmap(seqs, records, out, has_seq);
    pack_bitmap(stamps, records, out, has_sent_at);
    pack_values(
        records, scratch_, out, [](const ReceivedRecord& r) { return r.seq; }, has_seq);
    pack_values(records, scratch_, out, [](const ReceivedRecord& r) { return to_word(r.received_at); });
    pack_values(
        records, scratch_, out, [](const ReceivedRecord& r) { return to_word(r.received_at) - to_word(r.sent_at); },
        has_sent_at);
    pack_values(records, scratch_, out, [](const ReceivedRecord& r) { return std::uint64_t{r.size}; });
    if (std::ranges::none_of(records, has_arrival_header)) {
        return kBlockVersion;
    }
    pack_values(records, scratch_, out, [](const ReceivedRecord& r) { return std::uint64_t{r.ttl}; });
    pack_values(records, scratch_, out, [](const ReceivedRecord& r) { return std::uint64_t{r.ds_byte}; });
    return kArrivalHeaderVersion;
}

const RecordColumns::Column& RecordColumns::read(ByteReader& in, std::size_t count, std::size_t index) {
    Column& column = columns_[index];
    column.resize(count);
    unpack_column(in, column);
    return column;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<SentRecord> records, std::uint8_t version) {
    require_block_size(records.size());
    ByteReader in(payload);
    const Column& seqs = read(in, records.size(), 0);
    const Column& due = read(in, records.size(), 1);
    const Column& lateness = read(in, records.size(), 2);
    const Column& sizes = read(in, records.size(), 3);
    const Column& batches = read(in, records.size(), 4);
    require_largest(in, sizes, kLargestSize);
    require_largest(in, batches, kLargestSize);
    if (version != kBlockVersion or not in.finished()) {
        return false;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i] = SentRecord{.seq = seqs[i],
                                .sent_at = to_time(due[i] + lateness[i]),
                                .lateness = Nanos{static_cast<std::int64_t>(lateness[i])},
                                .size = static_cast<std::uint32_t>(sizes[i]),
                                .batch = static_cast<std::uint32_t>(batches[i])};
    }
    return true;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<ReceivedRecord> records,
                           std::uint8_t version) {
    require_block_size(records.size());
    ByteReader in(payload);
    const std::uint8_t flags = in.u8();
    const Bitmap seq_map = read_bitmap(in, flags & kPresenceBits, records.size());
    const Bitmap stamp_map = read_bitmap(in, static_cast<unsigned>(flags) >> kSentAtShift, records.size());
    const Column& seqs = read(in, present_count(seq_map, records.size()), 0);
    const Column& arrivals = read(in, records.size(), 1);
    const Column& delays = read(in, present_count(stamp_map, records.size()), 2);
    const Column& sizes = read(in, records.size(), 3);
    require_largest(in, sizes, kLargestSize);
    if (in.failed()) {
        return false;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i] = ReceivedRecord{.seq = ReceivedRecord::kNoSeq,
                                    .sent_at = ReceivedRecord::kNoTime,
                                    .received_at = to_time(arrivals[i]),
                                    .size = static_cast<std::uint32_t>(sizes[i])};
    }
    spread(seq_map, seqs, records.size(), [&](std::size_t i, std::uint64_t seq) { records[i].seq = seq; });
    spread(stamp_map, delays, records.size(), [&](std::size_t i, std::uint64_t delay) {
        records[i].sent_at = to_time(to_word(records[i].received_at) - delay);
    });
    if (version == kArrivalHeaderVersion) {
        unpack_arrival_header(in, records);
    }
    return version <= kArrivalHeaderVersion and in.finished();
}

void RecordColumns::unpack_arrival_header(ByteReader& in, std::span<ReceivedRecord> records) {
    const Column& ttls = read(in, records.size(), 0);
    const Column& ds_bytes = read(in, records.size(), 1);
    require_largest(in, ttls, std::numeric_limits<std::uint8_t>::max());
    require_largest(in, ds_bytes, std::numeric_limits<std::uint8_t>::max());
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].ttl = static_cast<std::uint8_t>(ttls[i]);
        records[i].ds_byte = static_cast<std::uint8_t>(ds_bytes[i]);
    }
}

}  // namespace groma
