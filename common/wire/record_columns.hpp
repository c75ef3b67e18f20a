// The payloads of blocks of records: columns instead of rows (docs/log-format.md, "Sent records", "Received records").
// What goes together is told once: a sent packet as the time when it was due and its lateness, an arrival as its time
// and its delay. Owns scratch memory only (at most five columns of kMaxBlockRecords); one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/wire/byte_reader.hpp"
#include "common/wire/records.hpp"

namespace groma {

class RecordColumns {
public:
    /// Appends the payload of these records to `out`. Requires: 1 to kMaxBlockRecords of them.
    void pack(std::span<const SentRecord> records, std::vector<std::byte>& out);
    void pack(std::span<const ReceivedRecord> records, std::vector<std::byte>& out);

    /// Fills `records`, as many as the block's header counts. Returns: whether the payload is exactly that many; if
    /// not, what is in `records` means nothing. The payload is hostile.
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<SentRecord> records);
    [[nodiscard]] bool unpack(std::span<const std::byte> payload, std::span<ReceivedRecord> records);

private:
    using Column = std::vector<std::uint64_t>;

    /// Reads a column of `count` values into scratch column `index`.
    const Column& read(ByteReader& in, std::size_t index, std::size_t count);

    Column columns_[5];
};

}  // namespace groma
