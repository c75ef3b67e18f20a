// The header at the start of every packet's payload, version 1: a prefix code (docs/reference/wire-format.md).
// Big-endian:
//
//      0               4                               12              16      18  19  20
//      +---------------+-------------------------------+---------------+-------+---+---+
//      |    seq u32    |   sent_at i64, ns since epoch |    flow u32   | magic | v | f |
//      +---------------+-------------------------------+---------------+-------+---+---+
//
// A packet carries the longest prefix of complete fields that fits: none below 4 bytes, seq from 4, sent_at from 12,
// all from 20 (magic, version and flags go with the flow). Joining the sender's and the receiver's logs recovers the
// fields that did not fit. Bit 0 of the flags marks a reply (reply.hpp). In version 2 a seal follows
// (packet_format.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/base/ids.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"

namespace groma {

inline constexpr std::size_t kPacketHeaderSize = 20;
inline constexpr std::uint16_t kPacketMagic = 0x6772;  // "gr"
inline constexpr std::uint8_t kPacketVersion = 1;
/// In the flags: the receiver sent this packet back.
inline constexpr std::uint8_t kReplyFlag = 0x01;

/// Which way a packet goes: from the sender to the receiver, or back (round-trip meter).
enum class PacketKind : std::uint8_t { packet, reply };

/// The contents of a packet's header.
struct PacketHeader {
    std::uint32_t seq = 0;
    WallTime sent_at{};
    FlowId flow;
    bool operator==(const PacketHeader&) const = default;
};

/// The fields that a packet was large enough to carry.
struct PacketPrefix {
    std::optional<std::uint32_t> seq;
    std::optional<WallTime> sent_at;
    std::optional<FlowId> flow;
    bool operator==(const PacketPrefix&) const = default;
};

/// Bytes of header that a packet of this size carries at this level: 0, 4, 12 or 20.
[[nodiscard]] constexpr std::size_t header_size(std::size_t packet_size, HeaderLevel level) noexcept {
    if (level == HeaderLevel::none or packet_size < 4) {
        return 0;
    }
    if (level == HeaderLevel::sequence or packet_size < 12) {
        return 4;
    }
    return packet_size < kPacketHeaderSize ? 12 : kPacketHeaderSize;
}

/// Writes the first `size` bytes (0, 4, 12 or 20) of the header to `out`. Requires: out.size() >= size.
void serialize(const PacketHeader& header, std::span<std::byte> out, std::size_t size) noexcept;

/// Reads the header fields that a packet of this flow's level carries; its first 20 bytes are enough. Ignores all flags
/// but kReplyFlag: the others are reserved and written as 0. Returns: empty if magic or version are wrong, or the
/// packet is of another kind (known only with the complete header).
[[nodiscard]] std::optional<PacketPrefix> parse_packet(std::span<const std::byte> packet, HeaderLevel level,
                                                       PacketKind kind = PacketKind::packet,
                                                       std::uint8_t version = kPacketVersion) noexcept;

/// Extends 32-bit sequence numbers to 64 bits: to the nearest number to the last one that is not below 0. The first
/// call returns its number unchanged. Correct as long as no packet is 2^31 or more away from the one before it.
class SequenceUnwrapper {
public:
    [[nodiscard]] std::uint64_t unwrap(std::uint32_t seq) noexcept;

private:
    std::uint64_t last_ = 0;
};

}  // namespace groma
