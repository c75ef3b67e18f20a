// What a block's header says about its records, for writers and readers. Pure functions; any thread.
#pragma once

#include <cstdint>

#include "common/wire/log_block.hpp"
#include "common/wire/records.hpp"

namespace groma {

template <typename Record>
inline constexpr BlockType kBlockType{};  // every kind of record has its own below
template <>
inline constexpr BlockType kBlockType<SentRecord> = BlockType::sent;
template <>
inline constexpr BlockType kBlockType<ReceivedRecord> = BlockType::received;
template <>
inline constexpr BlockType kBlockType<RoundTripRecord> = BlockType::round_trip;
template <>
inline constexpr BlockType kBlockType<TransmitRecord> = BlockType::transmitted;
template <>
inline constexpr BlockType kBlockType<ConnectionSample> = BlockType::connection;

/// How many records a block holds at most.
template <typename Record>
inline constexpr std::uint32_t kMostInBlock = kMaxBlockRecords;
template <>
inline constexpr std::uint32_t kMostInBlock<ConnectionSample> = kMaxBlockSamples;

/// The header's first sequence number: that of the first record; kNoSeq for records without one.
template <typename Record>
[[nodiscard]] constexpr std::uint64_t first_seq_of(const Record& first) noexcept {
    if constexpr (requires { first.seq; }) {
        return first.seq;
    } else {
        return ReceivedRecord::kNoSeq;
    }
}

[[nodiscard]] constexpr bool is_of_records(BlockType type) noexcept {
    return type == BlockType::sent or type == BlockType::received or type == BlockType::round_trip or
           type == BlockType::transmitted or type == BlockType::connection;
}

/// Whether this program can read a block of that type and version.
[[nodiscard]] constexpr bool version_is_known(BlockType type, std::uint8_t version) noexcept {
    return version == kBlockVersion or (type == BlockType::received and version == kArrivalHeaderVersion) or
           (type == BlockType::connection and version == kAcknowledgedVersion);
}

}  // namespace groma
