// The part of RecordColumns for packets that came back, and for times at which packets left.
#include <algorithm>
#include <limits>

#include "common/wire/byte_writer.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/optional_column.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {

namespace {

constexpr unsigned kSentAtShift = kPresenceWidth;
constexpr unsigned kStampsShift = 2 * kPresenceWidth;

bool has_seq(const RoundTripRecord& record) noexcept {
    return record.seq != ReceivedRecord::kNoSeq;
}

bool has_sent_at(const RoundTripRecord& record) noexcept {
    return record.sent_at != ReceivedRecord::kNoTime;
}

bool has_stamps(const RoundTripRecord& record) noexcept {
    return record.reflected_at != ReceivedRecord::kNoTime;
}

/// The most regular known time of a packet: the others add noise to it.
std::uint64_t base_of(const RoundTripRecord& record) noexcept {
    return to_word(has_sent_at(record) ? record.sent_at : record.returned_at);
}

std::uint64_t difference(WallTime later, WallTime earlier) noexcept {
    return to_word(later) - to_word(earlier);
}

}  // namespace

std::uint8_t RecordColumns::pack(std::span<const RoundTripRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    const auto presence = [&](auto has) { return static_cast<unsigned>(presence_of(records, has)); };
    const unsigned flags =
        presence(has_seq) | (presence(has_sent_at) << kSentAtShift) | (presence(has_stamps) << kStampsShift);
    ByteWriter(out).u8(static_cast<std::uint8_t>(flags));
    pack_bitmap(presence_of(records, has_seq), records, out, has_seq);
    pack_bitmap(presence_of(records, has_sent_at), records, out, has_sent_at);
    pack_bitmap(presence_of(records, has_stamps), records, out, has_stamps);
    const auto column = [&](auto value, auto has) { pack_values(records, scratch_, out, value, has); };
    const auto always = [](const RoundTripRecord&) { return true; };
    column([](const RoundTripRecord& r) { return r.seq; }, has_seq);
    column(base_of, always);
    column([](const RoundTripRecord& r) { return difference(r.returned_at, r.sent_at); }, has_sent_at);
    column([](const RoundTripRecord& r) { return difference(r.returned_at, r.replied_at); }, has_stamps);
    column([](const RoundTripRecord& r) { return difference(r.replied_at, r.reflected_at); }, has_stamps);
    column([](const RoundTripRecord& r) { return std::uint64_t{r.size}; }, always);
    return kBlockVersion;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<RoundTripRecord> records,
                           std::uint8_t version) {
    require_block_size(records.size());
    const std::size_t count = records.size();
    ByteReader in(payload);
    const unsigned flags = in.u8();
    const Bitmap seqs = read_bitmap(in, flags & kPresenceBits, count);
    const Bitmap sent = read_bitmap(in, (flags >> kSentAtShift) & kPresenceBits, count);
    const Bitmap stamps = read_bitmap(in, flags >> kStampsShift, count);
    std::ranges::fill(records, RoundTripRecord{});
    const auto each = [&](const Bitmap& has, auto assign) {
        spread(has, read(in, present_count(has, count)), count, assign);
    };
    each(seqs, [&](std::size_t i, std::uint64_t seq) { records[i].seq = seq; });
    each(Bitmap{}, [&](std::size_t i, std::uint64_t base) {
        records[i].returned_at = to_time(base);
        if (sent.has(i)) {
            records[i].sent_at = to_time(base);
        }
    });
    each(sent, [&](std::size_t i, std::uint64_t rtt) {
        records[i].returned_at = to_time(to_word(records[i].sent_at) + rtt);
    });
    each(stamps, [&](std::size_t i, std::uint64_t back) {
        records[i].replied_at = to_time(to_word(records[i].returned_at) - back);
    });
    each(stamps, [&](std::size_t i, std::uint64_t residence) {
        const WallTime reflected = to_time(to_word(records[i].replied_at) - residence);
        if (reflected == ReceivedRecord::kNoTime) {
            records[i].replied_at = ReceivedRecord::kNoTime;
        }
        records[i].reflected_at = reflected;
    });
    const Column& sizes = read(in, count);
    require_largest(in, sizes, std::numeric_limits<std::uint32_t>::max());
    for (std::size_t i = 0; i < count; ++i) {
        records[i].size = static_cast<std::uint32_t>(sizes[i]);
    }
    return version == kBlockVersion and in.finished();
}

std::uint8_t RecordColumns::pack(std::span<const TransmitRecord> records, std::vector<std::byte>& out) {
    require_block_size(records.size());
    pack_values(records, scratch_, out, [](const TransmitRecord& r) { return r.seq; });
    pack_values(records, scratch_, out, [](const TransmitRecord& r) { return to_word(r.transmitted_at); });
    return kBlockVersion;
}

bool RecordColumns::unpack(std::span<const std::byte> payload, std::span<TransmitRecord> records,
                           std::uint8_t version) {
    require_block_size(records.size());
    ByteReader in(payload);
    spread({}, read(in, records.size()), records.size(),
           [&](std::size_t i, std::uint64_t seq) { records[i].seq = seq; });
    spread({}, read(in, records.size()), records.size(),
           [&](std::size_t i, std::uint64_t time) { records[i].transmitted_at = to_time(time); });
    return version == kBlockVersion and in.finished();
}

}  // namespace groma
