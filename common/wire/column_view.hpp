// Records of one flow by column instead of by row: the contents of a log's block, and the fastest form for loops over
// many of them. Views own nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "common/wire/records.hpp"

namespace groma {

/// Sent packets. All columns have the same length; times in ns since 1970-01-01 UTC, as in SentRecord.
struct SentColumns {
    std::span<const std::uint64_t> seq;
    std::span<const std::int64_t> sent_at;
    std::span<const std::int64_t> lateness;
    std::span<const std::uint64_t> size;
    std::span<const std::uint64_t> batch;

    [[nodiscard]] std::size_t count() const noexcept { return seq.size(); }
    [[nodiscard]] SentRecord operator[](std::size_t i) const noexcept {
        return {.seq = seq[i],
                .sent_at = wall_time_from_ns(sent_at[i]),
                .lateness = Nanos{lateness[i]},
                .size = static_cast<std::uint32_t>(size[i]),
                .batch = static_cast<std::uint32_t>(batch[i])};
    }
    /// At most `most` records from the one at `first`. Requires: first <= count().
    [[nodiscard]] SentColumns part(std::size_t first, std::size_t most) const noexcept {
        const std::size_t n = std::min(most, count() - first);
        return {seq.subspan(first, n), sent_at.subspan(first, n), lateness.subspan(first, n), size.subspan(first, n),
                batch.subspan(first, n)};
    }
};

/// Received packets; a missing value is kNoSeq or kNoTime, as in ReceivedRecord.
struct ReceivedColumns {
    std::span<const std::uint64_t> seq;
    std::span<const std::int64_t> sent_at;
    std::span<const std::int64_t> received_at;
    std::span<const std::uint64_t> size;
    std::span<const std::uint64_t> ttl;      ///< empty if unknown for all packets
    std::span<const std::uint64_t> ds_byte;  ///< likewise

    [[nodiscard]] std::size_t count() const noexcept { return seq.size(); }
    [[nodiscard]] ReceivedRecord operator[](std::size_t i) const noexcept {
        return {.seq = seq[i],
                .sent_at = wall_time_from_ns(sent_at[i]),
                .received_at = wall_time_from_ns(received_at[i]),
                .size = static_cast<std::uint32_t>(size[i]),
                .ttl = ttl.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(ttl[i]),
                .ds_byte = ds_byte.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(ds_byte[i])};
    }
    /// At most `most` records from the one at `first`. Requires: first <= count().
    [[nodiscard]] ReceivedColumns part(std::size_t first, std::size_t most) const noexcept {
        const std::size_t n = std::min(most, count() - first);
        const auto some = [&](std::span<const std::uint64_t> column) {
            return column.empty() ? column : column.subspan(first, n);
        };
        return {seq.subspan(first, n),
                sent_at.subspan(first, n),
                received_at.subspan(first, n),
                size.subspan(first, n),
                some(ttl),
                some(ds_byte)};
    }
};

/// Columns of records that came by row.
class SentTable {
public:
    /// The first records, as many as fit; valid until the next call.
    [[nodiscard]] SentColumns front_of(std::span<const SentRecord> records) noexcept;

private:
    static constexpr std::size_t kMost = 256;

    std::array<std::uint64_t, kMost> seq_;
    std::array<std::int64_t, kMost> sent_at_;
    std::array<std::int64_t, kMost> lateness_;
    std::array<std::uint64_t, kMost> size_;
    std::array<std::uint64_t, kMost> batch_;
};

class ReceivedTable {
public:
    /// The first records, as many as fit; valid until the next call.
    [[nodiscard]] ReceivedColumns front_of(std::span<const ReceivedRecord> records) noexcept;

private:
    static constexpr std::size_t kMost = 256;

    std::array<std::uint64_t, kMost> seq_;
    std::array<std::int64_t, kMost> sent_at_;
    std::array<std::int64_t, kMost> received_at_;
    std::array<std::uint64_t, kMost> size_;
    std::array<std::uint64_t, kMost> ttl_;
    std::array<std::uint64_t, kMost> ds_byte_;
};

/// Calls visit(columns) for all of the records in order, some at a time. The columns are valid until it returns.
template <typename Record, typename Visit>
void by_column(std::span<const Record> records, Visit visit) {
    std::conditional_t<std::is_same_v<Record, SentRecord>, SentTable, ReceivedTable> table;
    while (not records.empty()) {
        const auto some = table.front_of(records);
        visit(some);
        records = records.subspan(some.count());
    }
}

}  // namespace groma
