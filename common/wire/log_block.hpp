// The frame of a log: its file header and the headers of its blocks (docs/reference/log-format.md, which is normative).
// Little-endian:
//
//   file     0                               8       10      12              16
//            +-------------------------------+-------+-------+---------------+
//            |  89 'G' 'R' 'O' 'M' 'A' 0D 0A |version|   0   |     check     |
//            +-------------------------------+-------+-------+---------------+
//
//   block    0               4               8                               16
//            +---------------+---------------+-------------------------------+
//            | B7 'G' 'r' 'B'| header check  |            checksum           |
//            +---+---+---+---+---------------+-------------------------------+
//         16 | t | v | z | 0 |     flow      |             number            |
//            +---+---+---+---+---------------+---------------+---------------+
//         32 |         first sequence        |     count     | stored length |
//            +---------------+---------------+---------------+---------------+
//         48 |  raw length   | payload, `stored length` bytes ...
//            +---------------+
//
// Pure functions; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/base/ids.hpp"

namespace groma {

inline constexpr std::size_t kLogHeaderSize = 16;
inline constexpr std::uint16_t kLogVersion = 1;
inline constexpr std::array kLogMagic{std::byte{0x89}, std::byte{'G'}, std::byte{'R'},  std::byte{'O'},
                                      std::byte{'M'},  std::byte{'A'}, std::byte{'\r'}, std::byte{'\n'}};

inline constexpr std::size_t kBlockHeaderSize = 52;
inline constexpr std::uint8_t kBlockVersion = 1;
/// For received records with fields of their IP header; without them the version is 1.
inline constexpr std::uint8_t kArrivalHeaderVersion = 2;
/// For samples of connections with smallest round trips, acknowledged bytes, or what limited the rate.
inline constexpr std::uint8_t kAcknowledgedVersion = 2;
inline constexpr std::array kBlockMagic{std::byte{0xb7}, std::byte{'G'}, std::byte{'r'}, std::byte{'B'}};

/// At this size a block's header costs 1.3 % of a byte per packet, its columns fit the L2 cache, and one damaged block
/// loses 4 ms of a flow of a million packets a second.
inline constexpr std::uint32_t kMaxBlockRecords = 4096;
/// Samples of a connection have more columns than packet records, and come some times a second.
inline constexpr std::uint32_t kMaxBlockSamples = 1024;
/// Above the largest payload of records: six columns of full 64-bit numbers take 198 KiB.
inline constexpr std::uint32_t kMaxRecordPayload = 256 * 1024;
/// JSON grows with the number of flows; this is enough for some 100,000.
inline constexpr std::uint32_t kMaxJsonPayload = 64 * 1024 * 1024;

/// These numbers are on disk: do not renumber.
enum class BlockType : std::uint8_t {
    metadata = 1,     ///< JSON: RunMetadata
    sent = 2,         ///< SentRecord columns of one flow
    received = 3,     ///< ReceivedRecord columns of one flow
    probe = 4,        ///< JSON: ClockProbe
    event = 5,        ///< JSON: LogEvent
    totals = 6,       ///< JSON: LogTotals
    round_trip = 7,   ///< RoundTripRecord columns of one flow
    transmitted = 8,  ///< TransmitRecord columns of one flow
    connection = 9,   ///< ConnectionSample columns of one flow
};

struct BlockHeader {
    std::uint8_t type = 0;  ///< a BlockType, or an unknown one
    std::uint8_t version = kBlockVersion;
    std::uint8_t compression = 0;  ///< 0: none; other values are for later versions
    FlowId flow{};
    std::uint64_t number = 0;  ///< of the block in its log, from 0
    std::uint64_t first_seq = 0;
    std::uint32_t count = 0;
    std::uint32_t stored_length = 0;  ///< of the payload that follows
    std::uint32_t raw_length = 0;     ///< of the payload before compression
    bool operator==(const BlockHeader&) const = default;
};

[[nodiscard]] std::array<std::byte, kLogHeaderSize> make_log_header(std::uint16_t version = kLogVersion);

/// Contents of a file's first bytes.
struct LogHeader {
    enum class State : std::uint8_t {
        whole,
        foreign,  ///< not a Groma log
        cut,      ///< ends within the header
        damaged,  ///< a Groma log with an untrusted version
    };
    State state = State::foreign;
    std::uint16_t version = 0;  ///< if complete
};
[[nodiscard]] LogHeader parse_log_header(std::span<const std::byte> bytes) noexcept;

/// Fills in the first kBlockHeaderSize bytes of `block`, in front of its payload; sets stored_length and raw_length
/// from its size. Requires: block.size() >= kBlockHeaderSize.
void seal_block(const BlockHeader& header, std::vector<std::byte>& block);

/// Returns: the header at the start of `bytes`; empty if there are too few bytes, the magic is missing, the header
/// check fails, or the payload exceeds the limit of its type.
[[nodiscard]] std::optional<BlockHeader> parse_block_header(std::span<const std::byte> bytes) noexcept;

/// Whether the checksum of a block matches. Requires: block has kBlockHeaderSize + stored_length bytes.
[[nodiscard]] bool block_is_intact(std::span<const std::byte> block) noexcept;

}  // namespace groma
