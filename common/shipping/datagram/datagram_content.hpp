// The content of a connection's datagram (docs/reference/log-udp.md): an acknowledgement, bytes of the stream, both, or
// neither. Pure.
//
//   | flags u8 | acknowledgement, if flagged                                         | data, if flagged              |
//              | held back u32 us | limit u64 | ranges u8 | last u64, count u32, ...  | offset u64 | bytes to the end |
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/shipping/datagram/datagram_ranges.hpp"
#include "common/time/instant.hpp"

namespace groma {

inline constexpr std::size_t kMostAckRanges = 32;

struct AckField {
    Nanos held_back{0};             ///< since the highest acknowledged datagram arrived
    std::uint64_t limit = 0;        ///< the sender of this accepts stream bytes below this offset
    std::vector<NumberRange> came;  ///< datagram numbers, highest range first

    bool operator==(const AckField&) const = default;
};

struct DataField {
    std::uint64_t offset = 0;
    std::span<const std::byte> bytes;  ///< not owned
    bool last = false;                 ///< the stream ends after these bytes
};

struct DatagramContent {
    bool ping = false;     ///< requests an acknowledgement, whatever else it carries
    bool closing = false;  ///< the connection ends at once
    std::optional<AckField> ack;
    std::optional<DataField> data;
};

/// Bytes before the data.
inline constexpr std::size_t kDataOverhead = 1 + 8;
/// Bytes of an acknowledgement with this number of ranges.
[[nodiscard]] constexpr std::size_t ack_bytes(std::size_t ranges) {
    return 4 + 8 + 1 + (ranges == 0 ? 0 : 8 + 4 + 8 * (ranges - 1));
}

/// Requires: enough room in `out`. Returns: the bytes written.
std::size_t serialize(const DatagramContent& content, std::span<std::byte> out);

/// Empty unless `bytes` is exactly one content. The data's bytes point into `bytes`.
[[nodiscard]] std::optional<DatagramContent> parse_content(std::span<const std::byte> bytes);

}  // namespace groma
