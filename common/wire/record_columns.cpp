#include "common/wire/record_columns.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/vectorised.hpp"
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

std::span<const std::int64_t> as_signed(const std::vector<std::uint64_t>& values) noexcept {
    return {reinterpret_cast<const std::int64_t*>(values.data()), values.size()};
}

GROMA_VECTORISED std::uint64_t all_bits_of(std::span<const std::uint64_t> values) noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values) {
        all |= value;
    }
    return all;
}

// Modulo 2^64, as in columns.
GROMA_VECTORISED void add_all(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                              std::span<std::uint64_t> sums) noexcept {
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] = a[i] + b[i];
    }
}

GROMA_VECTORISED void subtract_all(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                                   std::span<std::uint64_t> differences) noexcept {
    for (std::size_t i = 0; i < differences.size(); ++i) {
        differences[i] = a[i] - b[i];
    }
}

}  // namespace

// OR-ing all values shows whether one is too large, without a branch for each.
void RecordColumns::require_largest(ByteReader& in, const Column& values, std::uint64_t largest) noexcept {
    if (all_bits_of(values) > largest) {
        in.fail();
    }
}

void RecordColumns::require_block_size(std::size_t records) {
    check(records > 0 and records <= kMaxBlockRecords, "a block holds 1 to 4096 records");
}

std::uint8_t RecordColumns::pack(std::span<const SentRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    pack_values(records, scratch_, out, [](const SentRecord& r) { return r.seq; });
    // Stamp minus lateness is the due time: nearly regular, while the stamp is as noisy as both.
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

bool RecordColumns::unpack(std::span<const std::byte> payload, std::size_t records, SentColumns& columns,
                           std::uint8_t version) {
    require_block_size(records);
    ByteReader in(payload);
    const Column& seqs = read(in, records, 0);
    const Column& due = read(in, records, 1);
    const Column& lateness = read(in, records, 2);
    const Column& sizes = read(in, records, 3);
    const Column& batches = read(in, records, 4);
    require_largest(in, sizes, kLargestSize);
    require_largest(in, batches, kLargestSize);
    if (version != kBlockVersion or not in.finished()) {
        return false;
    }
    columns_[5].resize(records);
    add_all(due, lateness, columns_[5]);
    columns = {seqs, as_signed(columns_[5]), as_signed(lateness), sizes, batches};
    return true;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<SentRecord> records, std::uint8_t version) {
    SentColumns columns;
    if (not unpack(payload, records.size(), columns, version)) {
        return false;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i] = columns[i];
    }
    return true;
}

std::span<const std::int64_t> RecordColumns::read_departures(ByteReader& in, const Bitmap& stamps,
                                                             std::span<const std::uint64_t> arrivals) {
    const Column& delays = read(in, present_count(stamps, arrivals.size()), 2);
    Column& departures = columns_[4];
    departures.resize(arrivals.size());
    if (stamps.presence == Presence::all) {
        subtract_all(arrivals, delays, departures);
    } else {
        std::ranges::fill(departures, to_word(ReceivedRecord::kNoTime));
        spread(stamps, delays, arrivals.size(),
               [&](std::size_t i, std::uint64_t delay) { departures[i] = arrivals[i] - delay; });
    }
    return as_signed(departures);
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::size_t records, ReceivedColumns& columns,
                           std::uint8_t version) {
    require_block_size(records);
    ByteReader in(payload);
    const std::uint8_t flags = in.u8();
    const Bitmap seq_map = read_bitmap(in, flags & kPresenceBits, records);
    const Bitmap stamp_map = read_bitmap(in, static_cast<unsigned>(flags) >> kSentAtShift, records);
    columns.seq = read(in, present_count(seq_map, records), 0);
    if (seq_map.presence != Presence::all) {
        Column& seqs = columns_[1];
        seqs.assign(records, ReceivedRecord::kNoSeq);
        spread(seq_map, columns_[0], records, [&](std::size_t i, std::uint64_t seq) { seqs[i] = seq; });
        std::swap(columns_[0], seqs);
        columns.seq = columns_[0];
    }
    const Column& arrivals = read(in, records, 1);
    columns.received_at = as_signed(arrivals);
    columns.sent_at = read_departures(in, stamp_map, arrivals);
    columns.size = read(in, records, 3);
    columns.ttl = {};
    columns.ds_byte = {};
    require_largest(in, columns_[3], kLargestSize);
    if (version == kArrivalHeaderVersion) {
        read_arrival_header(in, columns);
    }
    return version <= kArrivalHeaderVersion and in.finished();
}

void RecordColumns::read_arrival_header(ByteReader& in, ReceivedColumns& columns) {
    columns.ttl = read(in, columns.count(), 5);
    columns.ds_byte = read(in, columns.count(), 6);
    require_largest(in, columns_[5], std::numeric_limits<std::uint8_t>::max());
    require_largest(in, columns_[6], std::numeric_limits<std::uint8_t>::max());
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<ReceivedRecord> records,
                           std::uint8_t version) {
    ReceivedColumns columns;
    if (not unpack(payload, records.size(), columns, version)) {
        return false;
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i] = columns[i];
    }
    return true;
}

}  // namespace groma
