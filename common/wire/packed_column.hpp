// One column of a block: n numbers of 64 bits, packed (docs/reference/log-format.md, "Columns"). Keeps the numbers,
// their differences, or the differences of those, whichever is smallest. Constant columns cost nothing per value.
// Others are stored in groups of 128 as offsets from the group's minimum, each with the bits that the largest one needs
// ("frame of reference": Lemire and Boytsov 2015, doi:10.1002/spe.2203). Arithmetic is modulo 2^64: no value is lost.
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/wire/byte_reader.hpp"

namespace groma {

inline constexpr std::size_t kPackedGroup = 128;

/// Appends the column to `out`; nothing if it has no values. Overwrites `values` as scratch space.
void pack_column(std::span<std::uint64_t> values, std::vector<std::byte>& out);

/// Fills `values` with the next column of that length; an invalid column sets the reader's error.
void unpack_column(ByteReader& in, std::span<std::uint64_t> values) noexcept;

}  // namespace groma
