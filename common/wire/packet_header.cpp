#include "common/wire/packet_header.hpp"

#include "common/model/flow/sharing.hpp"
#include "common/wire/big_endian.hpp"

namespace groma {

static_assert(kPacketHeaderSize == kSmallestShared);

namespace {

// Offsets of the fields.
constexpr std::size_t kSentAt = 4;
constexpr std::size_t kFlow = 12;
constexpr std::size_t kMagic = 16;
constexpr std::size_t kVersion = 18;
constexpr std::size_t kFlags = 19;

}  // namespace

void serialize(const PacketHeader& header, std::span<std::byte> out, std::size_t size) noexcept {
    if (size >= kSentAt) {
        store_big_endian(out, header.seq);
    }
    if (size >= kFlow) {
        store_big_endian(out.subspan(kSentAt), static_cast<std::uint64_t>(ns_since_epoch(header.sent_at)));
    }
    if (size >= kPacketHeaderSize) {
        store_big_endian(out.subspan(kFlow), header.flow.value);
        store_big_endian(out.subspan(kMagic), kPacketMagic);
        out[kVersion] = std::byte{kPacketVersion};
        out[kFlags] = std::byte{0};
    }
}

std::optional<PacketPrefix> parse_packet(std::span<const std::byte> packet, HeaderLevel level, PacketKind kind,
                                         std::uint8_t version) noexcept {
    const std::size_t size = header_size(packet.size(), level);
    PacketPrefix prefix;
    if (size >= kSentAt) {
        prefix.seq = load_big_endian<std::uint32_t>(packet);
    }
    if (size >= kFlow) {
        const auto ns = load_big_endian<std::uint64_t>(packet.subspan(kSentAt));
        prefix.sent_at = wall_time_from_ns(static_cast<std::int64_t>(ns));
    }
    if (size >= kPacketHeaderSize) {
        if (load_big_endian<std::uint16_t>(packet.subspan(kMagic)) != kPacketMagic or
            packet[kVersion] != std::byte{version}) {
            return std::nullopt;
        }
        const bool is_reply = (packet[kFlags] & std::byte{kReplyFlag}) != std::byte{0};
        if (is_reply != (kind == PacketKind::reply)) {
            return std::nullopt;
        }
        prefix.flow = FlowId{load_big_endian<std::uint32_t>(packet.subspan(kFlow))};
    }
    return prefix;
}

std::uint64_t SequenceUnwrapper::unwrap(std::uint32_t seq) noexcept {
    constexpr std::uint64_t kTurn = std::uint64_t{1} << 32U;
    const auto step = static_cast<std::int32_t>(seq - static_cast<std::uint32_t>(last_));  // the shorter way round
    std::uint64_t unwrapped = last_ + static_cast<std::uint64_t>(std::int64_t{step});
    if (step < 0 and unwrapped > last_) {  // there is no wrap before the first number
        unwrapped += kTurn;
    }
    last_ = unwrapped;
    return unwrapped;
}

}  // namespace groma
