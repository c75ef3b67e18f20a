#include "common/wire/reply.hpp"

#include "common/wire/big_endian.hpp"

namespace groma {

namespace {

// Offsets of the fields.
constexpr std::size_t kFlags = 19;
constexpr std::size_t kReflectedAt = 20;
constexpr std::size_t kRepliedAt = 28;

void store_time(std::span<std::byte> out, WallTime time) noexcept {
    store_big_endian(out, static_cast<std::uint64_t>(ns_since_epoch(time)));
}

WallTime load_time(std::span<const std::byte> in) noexcept {
    return wall_time_from_ns(static_cast<std::int64_t>(load_big_endian<std::uint64_t>(in)));
}

}  // namespace

void serialize(const Reply& reply, std::span<std::byte> out, std::size_t size) noexcept {
    const PacketHeader header{.seq = reply.header.seq.value_or(0),
                              .sent_at = reply.header.sent_at.value_or(WallTime{}),
                              .flow = reply.header.flow.value_or(FlowId{})};
    serialize(header, out, size < kPacketHeaderSize ? size : kPacketHeaderSize);
    if (size >= kPacketHeaderSize) {
        out[kFlags] = std::byte{kReplyFlag};
    }
    if (size >= kReplyHeaderSize) {
        store_time(out.subspan(kReflectedAt), reply.stamps.reflected_at);
        store_time(out.subspan(kRepliedAt), reply.stamps.replied_at);
    }
}

std::optional<Reply> parse_reply(std::span<const std::byte> packet, HeaderLevel level, std::uint8_t version) noexcept {
    const auto header = parse_packet(packet, level, PacketKind::reply, version);
    if (not header) {
        return std::nullopt;
    }
    Reply reply{.header = *header, .stamps = {}};
    if (reply_header_size(packet.size(), level) == kReplyHeaderSize) {
        reply.stamps = {.reflected_at = load_time(packet.subspan(kReflectedAt)),
                        .replied_at = load_time(packet.subspan(kRepliedAt))};
    }
    return reply;
}

}  // namespace groma
