// A receiver's reply to a packet (round-trip meter): the packet's own header with the reply flag set and, if the packet
// is large enough, both of the receiver's stamps after it (docs/reference/wire-format.md). Big-endian:
//
//      0                                          19 20                              28                              36
//      +--------------------------------------------+-------------------------------+-------------------------------+
//      |    the packet's header, flags with bit 0   | reflected_at i64, ns, receiver | replied_at i64, ns, receiver  |
//      +--------------------------------------------+-------------------------------+-------------------------------+
//
// A reply has its packet's length and is also a prefix code: with 20 to 35 bytes it carries the flag but no stamps. A
// smaller one, or one of a flow with a shorter header, carries neither.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "common/time/instant.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/records.hpp"

namespace groma {

inline constexpr std::size_t kReplyHeaderSize = 36;

/// When the receiver got the packet and when it sent the reply, on its clock; kNoTime: the reply had no room for it.
struct ReplyStamps {
    WallTime reflected_at = ReceivedRecord::kNoTime;
    WallTime replied_at = ReceivedRecord::kNoTime;
    bool operator==(const ReplyStamps&) const = default;
};

/// The contents of a reply.
struct Reply {
    PacketPrefix header;
    ReplyStamps stamps;
    bool operator==(const Reply&) const = default;
};

/// Bytes of header and stamps that a reply of this size carries at this level: 0, 4, 12, 20 or 36.
[[nodiscard]] constexpr std::size_t reply_header_size(std::size_t reply_size, HeaderLevel level) noexcept {
    const std::size_t size = header_size(reply_size, level);
    return size == kPacketHeaderSize and reply_size >= kReplyHeaderSize ? kReplyHeaderSize : size;
}

/// Writes the first `size` bytes (0, 4, 12, 20 or 36) of a reply to `out`; missing header fields as 0. Requires:
/// out.size() >= size.
void serialize(const Reply& reply, std::span<std::byte> out, std::size_t size) noexcept;

/// Reads the fields that a reply of this flow's level carries; its first 36 bytes are enough. Returns: as
/// parse_packet().
[[nodiscard]] std::optional<Reply> parse_reply(std::span<const std::byte> packet, HeaderLevel level,
                                               std::uint8_t version = kPacketVersion) noexcept;

}  // namespace groma
