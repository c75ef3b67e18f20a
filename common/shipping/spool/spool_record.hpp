// One record of a spool's segment (docs/reference/spool.md): a piece of a log, or the log's totals. Pure.
//
//   byte 0        4      8        16     24
//        | length | kind | number | hash | length bytes ...      big-endian; hash: XXH3-64 of bytes 0 to 15 and the
//        rest
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/shipping/protocol/log_frames.hpp"

namespace groma {

inline constexpr std::size_t kSpoolHeaderBytes = 24;

enum class SpoolRecordKind : std::uint32_t { piece = 1, totals = 2 };

struct SpoolRecordHeader {
    std::uint32_t length = 0;
    SpoolRecordKind kind = SpoolRecordKind::piece;
    std::uint64_t number = 0;  ///< of the piece
    std::uint64_t hash = 0;
};

/// The bytes in front of a record's own, its hash included.
[[nodiscard]] std::array<std::byte, kSpoolHeaderBytes> spool_header(SpoolRecordKind kind, std::uint64_t number,
                                                                    std::span<const std::byte> bytes);

/// Returns: what the header says; nothing if it cannot be one. Requires: kSpoolHeaderBytes bytes.
[[nodiscard]] std::optional<SpoolRecordHeader> parse_spool_header(std::span<const std::byte> header);

/// Whether these bytes are those that the header was written for.
[[nodiscard]] bool belongs_to(std::span<const std::byte> header, std::span<const std::byte> bytes);

[[nodiscard]] std::vector<std::byte> spool_totals(const CloseLog& totals);
/// Returns: nothing if it cannot be totals.
[[nodiscard]] std::optional<CloseLog> parse_spool_totals(std::span<const std::byte> bytes);

}  // namespace groma
