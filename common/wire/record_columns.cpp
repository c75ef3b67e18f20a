#include "common/wire/record_columns.hpp"

#include <algorithm>
#include <limits>

#include "common/base/errors.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/packed_column.hpp"

namespace groma {

namespace {

/// Which records have a value that packets may be too small to carry. The numbers are on disk.
enum class Presence : std::uint8_t { all = 0, none = 1, some = 2 };

constexpr std::uint8_t kPresenceBits = 0x03;
constexpr unsigned kSentAtShift = 2;

std::uint64_t to_word(WallTime time) noexcept {
    return static_cast<std::uint64_t>(ns_since_epoch(time));
}

WallTime to_time(std::uint64_t word) noexcept {
    return wall_time_from_ns(static_cast<std::int64_t>(word));
}

bool has_seq(const ReceivedRecord& record) noexcept {
    return record.seq != ReceivedRecord::kNoSeq;
}

bool has_sent_at(const ReceivedRecord& record) noexcept {
    return record.sent_at != ReceivedRecord::kNoTime;
}

/// Appends one column: `value` of each record for which `present` holds.
template <typename Record, typename Value, typename Present>
void pack_values(std::span<const Record> records, std::vector<std::uint64_t>& scratch, std::vector<std::byte>& out,
                 Value value, Present present) {
    scratch.clear();
    for (const Record& record : records) {
        if (present(record)) {
            scratch.push_back(value(record));
        }
    }
    pack_column(scratch, out);
}

template <typename Record, typename Value>
void pack_values(std::span<const Record> records, std::vector<std::uint64_t>& scratch, std::vector<std::byte>& out,
                 Value value) {
    pack_values(records, scratch, out, value, [](const Record&) { return true; });
}

template <typename Present>
Presence presence_of(std::span<const ReceivedRecord> records, Present present) noexcept {
    const auto count = std::ranges::count_if(records, present);
    if (count == 0) {
        return Presence::none;
    }
    return static_cast<std::size_t>(count) == records.size() ? Presence::all : Presence::some;
}

/// One bit a record, the first in the lowest bit of the first byte; written only when it says something.
template <typename Present>
void pack_bitmap(Presence presence, std::span<const ReceivedRecord> records, std::vector<std::byte>& out,
                 Present present) {
    if (presence != Presence::some) {
        return;
    }
    const std::size_t start = out.size();
    out.resize(start + (records.size() + 7) / 8);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (present(records[i])) {
            out[start + i / 8] |= std::byte{1} << (i % 8);
        }
    }
}

/// Who of `count` records has a value.
struct Bitmap {
    Presence presence = Presence::all;
    std::span<const std::byte> bits;

    [[nodiscard]] bool has(std::size_t i) const noexcept {
        return presence == Presence::some and (bits[i / 8] & (std::byte{1} << (i % 8))) != std::byte{0};
    }
};

Bitmap read_bitmap(ByteReader& in, unsigned presence, std::size_t count) noexcept {
    if (presence > static_cast<unsigned>(Presence::some)) {
        in.fail();
    }
    const auto kind = static_cast<Presence>(presence);
    const Bitmap bitmap{kind, kind == Presence::some ? in.bytes((count + 7) / 8) : std::span<const std::byte>{}};
    return in.failed() ? Bitmap{} : bitmap;
}

std::size_t present_count(const Bitmap& bitmap, std::size_t count) noexcept {
    switch (bitmap.presence) {
        case Presence::all:
            return count;
        case Presence::none:
            return 0;
        case Presence::some:
            break;
    }
    std::size_t present = 0;
    for (std::size_t i = 0; i < count; ++i) {
        present += bitmap.has(i) ? 1 : 0;
    }
    return present;
}

/// Calls `assign(i, value)` for each record that has a value.
template <typename Assign>
void spread(const Bitmap& bitmap, const std::vector<std::uint64_t>& values, std::size_t count, Assign assign) {
    if (bitmap.presence == Presence::all) {
        for (std::size_t i = 0; i < count; ++i) {
            assign(i, values[i]);
        }
        return;
    }
    for (std::size_t i = 0, next = 0; i < count and next < values.size(); ++i) {
        if (bitmap.has(i)) {
            assign(i, values[next++]);
        }
    }
}

/// Or-ing all values tells whether one of them is too large, without a branch for each.
void require_u32(ByteReader& in, const std::vector<std::uint64_t>& values) noexcept {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values) {
        all |= value;
    }
    if (all > std::numeric_limits<std::uint32_t>::max()) {
        in.fail();
    }
}

void require_block_size(std::size_t records) {
    check(records > 0 and records <= kMaxBlockRecords, "a block holds 1 to 4096 records");
}

}  // namespace

void RecordColumns::pack(std::span<const SentRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    Column& scratch = columns_[0];
    pack_values(records, scratch, out, [](const SentRecord& r) { return r.seq; });
    // The stamp minus the lateness is when the packet was due: nearly regular, where the stamp is as noisy as both.
    pack_values(records, scratch, out, [](const SentRecord& r) {
        return to_word(r.sent_at) - static_cast<std::uint64_t>(r.lateness.count());
    });
    pack_values(records, scratch, out,
                [](const SentRecord& r) { return static_cast<std::uint64_t>(r.lateness.count()); });
    pack_values(records, scratch, out, [](const SentRecord& r) { return std::uint64_t{r.size}; });
    pack_values(records, scratch, out, [](const SentRecord& r) { return std::uint64_t{r.batch}; });
}

void RecordColumns::pack(std::span<const ReceivedRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    Column& scratch = columns_[0];
    const Presence seqs = presence_of(records, has_seq);
    const Presence stamps = presence_of(records, has_sent_at);
    ByteWriter(out).u8(
        static_cast<std::uint8_t>(static_cast<unsigned>(seqs) | (static_cast<unsigned>(stamps) << kSentAtShift)));
    pack_bitmap(seqs, records, out, has_seq);
    pack_bitmap(stamps, records, out, has_sent_at);
    pack_values(
        records, scratch, out, [](const ReceivedRecord& r) { return r.seq; }, has_seq);
    pack_values(records, scratch, out, [](const ReceivedRecord& r) { return to_word(r.received_at); });
    pack_values(
        records, scratch, out, [](const ReceivedRecord& r) { return to_word(r.received_at) - to_word(r.sent_at); },
        has_sent_at);
    pack_values(records, scratch, out, [](const ReceivedRecord& r) { return std::uint64_t{r.size}; });
}

const RecordColumns::Column& RecordColumns::read(ByteReader& in, std::size_t index, std::size_t count) {
    Column& column = columns_[index];
    column.resize(count);
    unpack_column(in, column);
    return column;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<SentRecord> records) {
    require_block_size(records.size());
    ByteReader in(payload);
    const Column& seqs = read(in, 0, records.size());
    const Column& due = read(in, 1, records.size());
    const Column& lateness = read(in, 2, records.size());
    const Column& sizes = read(in, 3, records.size());
    const Column& batches = read(in, 4, records.size());
    if (not in.finished()) {
        return false;
    }
    require_u32(in, sizes);
    require_u32(in, batches);
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i] = SentRecord{.seq = seqs[i],
                                .sent_at = to_time(due[i] + lateness[i]),
                                .lateness = Nanos{static_cast<std::int64_t>(lateness[i])},
                                .size = static_cast<std::uint32_t>(sizes[i]),
                                .batch = static_cast<std::uint32_t>(batches[i])};
    }
    return not in.failed();
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<ReceivedRecord> records) {
    require_block_size(records.size());
    ByteReader in(payload);
    const std::uint8_t flags = in.u8();
    const Bitmap seq_map = read_bitmap(in, flags & kPresenceBits, records.size());
    const Bitmap stamp_map = read_bitmap(in, static_cast<unsigned>(flags) >> kSentAtShift, records.size());
    const Column& seqs = read(in, 0, present_count(seq_map, records.size()));
    const Column& arrivals = read(in, 1, records.size());
    const Column& delays = read(in, 2, present_count(stamp_map, records.size()));
    const Column& sizes = read(in, 3, records.size());
    if (not in.finished()) {
        return false;
    }
    require_u32(in, sizes);
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
    return not in.failed();
}

}  // namespace groma
