// How the packets of a flow begin, and the replies to them (docs/reference/wire-format.md): with the header
// (packet_header.hpp), in a reply with the receiver's stamps behind it (reply.hpp), and in a sealed flow with a seal
// behind that, which only who has the flow's key can make:
//
//      0                                          19 20            27
//      +--------------------------------------------+----------------+
//      |         the header, with version 2         |    seal u64    |                                packet
//      +--------------------------------------------+----------------+
//      0                                          19 20              27 28              35 36            43
//      +--------------------------------------------+------------------+------------------+----------------+
//      |  the header, with version 2 and the flag   | reflected_at i64 |  replied_at i64  |    seal u64    |  reply
//      +--------------------------------------------+------------------+------------------+----------------+
//
// A reply of 28 to 43 bytes has the header and the seal. The seal is the code (mac.hpp) of all that stands before it
// and of the packet's length as u32. A sealed flow has no smaller packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/wire/mac.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/reply.hpp"

namespace groma {

/// Of packets with a seal.
inline constexpr std::uint8_t kSealedVersion = 2;
inline constexpr std::size_t kSealedPacket = kPacketHeaderSize + kMacBytes;
inline constexpr std::size_t kSealedReply = kReplyHeaderSize + kMacBytes;

/// A packet or a reply that was read.
struct ReadPacket {
    std::optional<Reply> packet{};  ///< of a packet without stamps; empty: it is none of the flow's
    bool forged = false;            ///< because its seal is wrong, or lacks
};

/// All sizes are those from the header on: of a frame on a byte stream without its length. Packet path.
class PacketFormat {
public:
    /// `seal`: the key of a sealed flow, whose header is full.
    PacketFormat(HeaderLevel header, const std::optional<MacKey>& seal = std::nullopt) noexcept
        : header_(header), seal_(seal) {}

    /// Bytes with a meaning at the beginning of a packet, or a reply, of this size: 0, 4, 12, 20, 28, 36 or 44.
    [[nodiscard]] std::size_t start_size(std::size_t size, PacketKind kind) const noexcept {
        if (seal_ and size >= kSealedPacket) {
            return kind == PacketKind::reply and size >= kSealedReply ? kSealedReply : kSealedPacket;
        }
        return kind == PacketKind::reply ? reply_header_size(size, header_) : header_size(size, header_);
    }

    /// Writes the beginning of a packet of `size` bytes to `out`. Returns: its length, start_size(). Requires: room for
    /// that.
    std::size_t write(const PacketHeader& header, std::size_t size, std::span<std::byte> out) const noexcept;
    /// The same of a reply, missing fields as 0.
    std::size_t write(const Reply& reply, std::size_t size, std::span<std::byte> out) const noexcept;

    /// Reads the beginning of a packet of `size` bytes: `start` has its first start_size(), or more.
    [[nodiscard]] ReadPacket read(std::span<const std::byte> start, std::size_t size, PacketKind kind) const noexcept;

private:
    void put_seal(std::span<std::byte> out, std::size_t covered, std::size_t size) const noexcept;
    [[nodiscard]] bool is_sealed(std::span<const std::byte> start, std::size_t covered,
                                 std::size_t size) const noexcept;

    HeaderLevel header_;
    std::optional<MacKey> seal_;
};

}  // namespace groma
