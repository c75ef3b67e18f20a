// The payloads of record blocks: columns instead of rows (docs/reference/log-format.md, "Sent records" and later
// sections). Related values are stored once: a sent packet as its due time and lateness, an arrival as its time and
// delay. Owns only scratch memory (some columns of kMaxBlockRecords). Thread: one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/wire/byte_reader.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/log_block.hpp"
#include "common/wire/optional_column.hpp"
#include "common/wire/records.hpp"

namespace groma {

class RecordColumns {
public:
    /// Appends the payload of these records to `out`. Returns: the version for the block's header. Requires: 1 to
    /// kMaxBlockRecords records, or to kMaxBlockSamples.
    std::uint8_t pack(std::span<const SentRecord> records, std::vector<std::byte>& out);
    std::uint8_t pack(std::span<const ReceivedRecord> records, std::vector<std::byte>& out);
    std::uint8_t pack(std::span<const RoundTripRecord> records, std::vector<std::byte>& out);
    std::uint8_t pack(std::span<const TransmitRecord> records, std::vector<std::byte>& out);
    std::uint8_t pack(std::span<const ConnectionSample> samples, std::vector<std::byte>& out);

    /// Fills `records`, whose number is the block header's count. Returns: whether the payload is exactly that many, of
    /// a known version; if not, `records` is undefined. The payload is untrusted. Requires: as pack.
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<SentRecord> records,
                              std::uint8_t version = kBlockVersion);
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<ReceivedRecord> records,
                              std::uint8_t version = kBlockVersion);
    /// Unpacks this number of records by column; `columns` are valid until the next call.
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::size_t records, SentColumns& columns,
                              std::uint8_t version = kBlockVersion);
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::size_t records, ReceivedColumns& columns,
                              std::uint8_t version = kBlockVersion);
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<RoundTripRecord> records,
                              std::uint8_t version = kBlockVersion);
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<TransmitRecord> records,
                              std::uint8_t version = kBlockVersion);
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<ConnectionSample> samples,
                              std::uint8_t version = kBlockVersion);

private:
    using Column = std::vector<std::uint64_t>;

    static void require_block_size(std::size_t records);
    /// Requires: `largest` is a power of two minus one.
    static void require_largest(ByteReader& in, const Column& values, std::uint64_t largest) noexcept;

    /// Reads a column of `count` values into the column of that index.
    const Column& read(ByteReader& in, std::size_t count, std::size_t index = 0);
    [[nodiscard]] std::span<const std::int64_t> read_departures(ByteReader& in, const Bitmap& stamps,
                                                                std::span<const std::uint64_t> arrivals);
    void read_arrival_header(ByteReader& in, ReceivedColumns& columns);

    Column scratch_;  ///< for the column being packed
    Column columns_[7];
};

}  // namespace groma
