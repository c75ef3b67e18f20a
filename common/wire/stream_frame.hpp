// Packets on a byte stream (TCP), version 1 (docs/reference/wire-format.md). A packet of n bytes is a frame of exactly
// n bytes on the stream, so that the sent bytes are the requested ones:
//
//      +-----------------+--------------------------------------+------------------------+
//      | n as varint 1-3 | longest prefix of the packet header  | filler, anything       |
//      +-----------------+--------------------------------------+------------------------+
//      |<------------------------------ n bytes, all told ------------------------------>|
//
// The varint is LEB128: seven bits per byte, lowest first, the top bit set in all bytes but the last, in the fewest
// bytes. The header is the prefix code of packet_header.hpp in the remaining n minus 1..3 bytes. A frame of one byte is
// the byte 1. Frames are 1 byte to 1 MiB long.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/model/flow/flow_spec.hpp"
#include "common/wire/packet_format.hpp"

namespace groma {

inline constexpr std::uint32_t kMaxStreamFrame = 1U << 20U;
inline constexpr std::size_t kMaxStreamLengthBytes = 3;

/// Bytes of varint at the start of a frame of `n` bytes: 1, 2 or 3. Requires: 1 <= n <= kMaxStreamFrame.
[[nodiscard]] constexpr std::size_t stream_length_bytes(std::size_t n) noexcept {
    if (n < (1U << 7U)) {
        return 1;
    }
    return n < (1U << 14U) ? 2 : kMaxStreamLengthBytes;
}

/// What a packet of this size has room for behind the length of its frame, if it is one.
[[nodiscard]] constexpr std::size_t room_in(Transport transport, std::size_t size) noexcept {
    return is_stream(transport) ? size - stream_length_bytes(size) : size;
}

/// Bytes of header that a packet of this size carries over this transport: 0, 4, 12 or 20. For senders.
[[nodiscard]] constexpr std::size_t header_bytes_for(Transport transport, std::size_t size,
                                                     HeaderLevel level) noexcept {
    return header_size(room_in(transport, size), level);
}

/// Writes the varint of a frame of `n` bytes and returns how many bytes it takes.
std::size_t serialize_stream_length(std::size_t n, std::span<std::byte, kMaxStreamLengthBytes> out) noexcept;

/// A frame whose last byte has arrived.
struct StreamFrame {
    std::uint32_t size = 0;              ///< all of it, varint included: the payload size that the sender chose
    std::optional<PacketPrefix> header;  ///< empty if magic or version are wrong, or the direction is
    ReplyStamps stamps{};                ///< for a reply
    bool forged = false;                 ///< its seal is wrong: it has no header

    bool operator==(const StreamFrame&) const = default;
};

/// Parses a stream that arrives in arbitrary pieces. Copies no bodies; allocates nothing.
class StreamFrameParser {
public:
    explicit StreamFrameParser(const PacketFormat& format, PacketKind kind = PacketKind::packet) noexcept
        : format_(format), kind_(kind) {}

    /// Takes bytes from the front of `piece` up to the end of a frame and returns that frame; empty if the piece ends
    /// before, or the stream has failed.
    [[nodiscard]] std::optional<StreamFrame> next(std::span<const std::byte>& piece) noexcept;

    /// Filler bytes of the current frame that have not arrived; 0 while its length or header is incomplete.
    [[nodiscard]] std::size_t filler_left() const noexcept {
        return length_known_ and header_have_ == wanted_header() ? left_ : 0;
    }

    /// This number of filler bytes was consumed elsewhere: next() continues after them. Requires: count <=
    /// filler_left().
    void pass_over(std::size_t count) noexcept { left_ -= count; }

    /// True after an impossible length (0, above 1 MiB, or not in the fewest bytes): the frame boundaries are lost, and
    /// nothing more is parsed.
    [[nodiscard]] bool failed() const noexcept { return failed_; }

    /// Whether a frame is incomplete: true if the stream must not end here.
    [[nodiscard]] bool within_frame() const noexcept { return length_bytes_ > 0; }

private:
    void take_length(std::span<const std::byte>& piece) noexcept;
    void take_length_byte(std::uint32_t byte) noexcept;
    void take_header(std::span<const std::byte>& piece) noexcept;
    [[nodiscard]] std::size_t wanted_header() const noexcept;
    [[nodiscard]] StreamFrame finish_frame() noexcept;

    PacketFormat format_;
    PacketKind kind_;
    bool failed_ = false;
    bool length_known_ = false;
    std::size_t length_bytes_ = 0;  ///< bytes of the current frame's varint that have arrived
    std::uint32_t size_ = 0;        ///< of the current frame, or its bits so far
    std::size_t left_ = 0;          ///< bytes of the current frame that have not arrived, once its length is known
    std::size_t header_have_ = 0;
    std::array<std::byte, kSealedReply> header_{};
};

}  // namespace groma
