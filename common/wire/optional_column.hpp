// Columns of values that some records lack (docs/reference/log-format.md, "Columns with gaps"): two bits say which
// records have one, then a bitmap if needed, then the values. For record_columns.* and related files. Pure functions;
// any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/time/instant.hpp"
#include "common/wire/byte_reader.hpp"
#include "common/wire/packed_column.hpp"

namespace groma {

/// Which records have a value. The numbers are on disk.
enum class Presence : std::uint8_t { all = 0, none = 1, some = 2 };

inline constexpr unsigned kPresenceWidth = 2;  ///< bits
inline constexpr unsigned kPresenceBits = 0x03;

[[nodiscard]] inline std::uint64_t to_word(WallTime time) noexcept {
    return static_cast<std::uint64_t>(ns_since_epoch(time));
}

[[nodiscard]] inline WallTime to_time(std::uint64_t word) noexcept {
    return wall_time_from_ns(static_cast<std::int64_t>(word));
}

template <typename Record, typename Present>
[[nodiscard]] Presence presence_of(std::span<const Record> records, Present present) noexcept {
    const auto count = std::ranges::count_if(records, present);
    if (count == 0) {
        return Presence::none;
    }
    return static_cast<std::size_t>(count) == records.size() ? Presence::all : Presence::some;
}

/// One bit per record, the first in the lowest bit of the first byte; written only for `some`.
template <typename Record, typename Present>
void pack_bitmap(Presence presence, std::span<const Record> records, std::vector<std::byte>& out, Present present) {
    if (presence != Presence::some) {
        return;
    }
    const std::size_t start = out.size();
    out.resize(start + (records.size() + 7) / 8);
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (present(records[i])) {
            out[start + i / 8] |= std::byte{1} << (i % 8);
        }
    }
}

/// Appends one column: `value` of each record for which `present` holds.
template <typename Record, typename Value, typename Present>
void pack_values(std::span<const Record> records, std::vector<std::uint64_t>& scratch, std::vector<std::byte>& out,
                 Value value, Present present) {
    scratch.clear();
    for (const Record& record : records) {
        if (present(record)) {
            scratch.push_back(value(record));
        }
    }
    pack_column(scratch, out);
}

template <typename Record, typename Value>
void pack_values(std::span<const Record> records, std::vector<std::uint64_t>& scratch, std::vector<std::byte>& out,
                 Value value) {
    pack_values(records, scratch, out, value, [](const Record&) { return true; });
}

/// Which records have a value.
struct Bitmap {
    Presence presence = Presence::all;
    std::span<const std::byte> bits;

    [[nodiscard]] bool has(std::size_t i) const noexcept {
        return presence == Presence::all or
               (presence == Presence::some and (bits[i / 8] & (std::byte{1} << (i % 8))) != std::byte{0});
    }
};

/// `presence` as read; an invalid one sets the reader's error.
[[nodiscard]] Bitmap read_bitmap(ByteReader& in, unsigned presence, std::size_t count) noexcept;

/// How many of `count` records have a value.
[[nodiscard]] std::size_t present_count(const Bitmap& bitmap, std::size_t count) noexcept;

/// Calls `assign(i, value)` for each of `count` records that has a value.
template <typename Assign>
void spread(const Bitmap& bitmap, const std::vector<std::uint64_t>& values, std::size_t count, Assign assign) {
    if (bitmap.presence == Presence::all) {
        for (std::size_t i = 0; i < count; ++i) {
            assign(i, values[i]);
        }
        return;
    }
    for (std::size_t i = 0, next = 0; i < count and next < values.size(); ++i) {
        if (bitmap.has(i)) {
            assign(i, values[next++]);
        }
    }
}

}  // namespace groma
